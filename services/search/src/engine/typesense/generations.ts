import type { Generation, VectorModel } from '../port.js'
import { type Connection, ifFound, TypesenseFailure } from './connection.js'
import { collectionOf } from './fields.js'

export const collectionName = (prefix: string, generation: Generation): string =>
  `${prefix}_${generation}`
/** The alias of the live collection. */
export const liveName = (prefix: string): string => `${prefix}_live`

export async function createCollection(
  connection: Connection,
  name: string,
  model: VectorModel | undefined,
): Promise<void> {
  try {
    await connection.write((client) => client.collections().create(collectionOf(name, model)))
  } catch (err) {
    const exists = err instanceof TypesenseFailure && err.status === 409
    if (!exists) throw err
  }
}

export async function publishCollection(
  connection: Connection,
  alias: string,
  name: string,
): Promise<void> {
  await connection.write((client) => client.aliases().upsert(alias, { collection_name: name }))
}

/** Undefined: no collection is live. */
async function liveCollection(connection: Connection, alias: string): Promise<string | undefined> {
  const found = await ifFound(connection.write((client) => client.aliases(alias).retrieve()))
  return found?.collection_name
}

export async function dropCollection(
  connection: Connection,
  alias: string,
  name: string,
): Promise<void> {
  if ((await liveCollection(connection, alias)) === name) throw new Error(`${name} is live`)
  await ifFound(connection.write((client) => client.collections(name).delete()))
}
