import { Buffer } from 'node:buffer'
import { isUuid } from '@figbase/kit/ids'
import type { Client } from 'typesense'
import type { IndexedDocument, PlacedObject, VectorModel } from '../port.js'
import { type Connection, ifFound, TypesenseFailure } from './connection.js'
import { placeFieldsOf, type TypesenseDocument, toDocument } from './to-document.js'

/** The address of a request has at most 4000 characters. */
const idsOfRequestMax = 50

/** Adds or replaces documents, the last one of each id. Resolves to those rejected, with the reason. */
export async function writeDocuments(
  connection: Connection,
  collection: string,
  documents: IndexedDocument[],
  model: VectorModel | undefined,
): Promise<Map<string, string>> {
  const rejected = new Map<string, string>()
  const last = new Map<string, TypesenseDocument>()
  for (const document of documents) {
    const converted = toDocument(document, model)
    if (typeof converted === 'string') rejected.set(document.id, converted)
    else last.set(converted.id, converted)
  }
  const failures = await importDocuments(connection, collection, 'upsert', [...last.values()])
  for (const { id, reason } of failures) rejected.set(id, reason)
  return rejected
}

/** Changes where documents are that exist. */
export async function placeDocuments(
  connection: Connection,
  collection: string,
  objects: PlacedObject[],
): Promise<void> {
  const places = objects.filter(({ id }) => isUuid(id)).map(placeFieldsOf)
  const failures = await importDocuments(connection, collection, 'update', places)
  const failed = failures.find(({ status }) => status !== 404)
  if (failed) throw new TypesenseFailure(failed.status, failed.reason)
}

type ImportFailure = { id: string; status: number; reason: string }

/** The documents that Typesense does not accept, which does not affect the others. */
async function importDocuments(
  connection: Connection,
  collection: string,
  action: 'upsert' | 'update',
  documents: { id: string }[],
): Promise<ImportFailure[]> {
  const failures: ImportFailure[] = []
  let lines: string[] = []
  let ids: string[] = []
  let bytes = 0
  const flush = async () => {
    if (lines.length === 0) return
    const body = lines.join('\n')
    const results = await connection.write((client) =>
      importLines(client, collection, action, body),
    )
    failures.push(...failuresOf(results, ids))
    lines = []
    ids = []
    bytes = 0
  }
  for (const document of documents) {
    const line = JSON.stringify(document)
    const size = Buffer.byteLength(line)
    if (bytes + size > connection.settings.requestBytesMax) await flush()
    lines.push(line)
    ids.push(document.id)
    bytes += size
  }
  await flush()
  return failures
}

/** The client's own `import` has no timeout. */
const importLines = (client: Client, collection: string, action: string, body: string) =>
  client.apiCall.performRequest<string>('post', `/collections/${collection}/documents/import`, {
    queryParameters: { action },
    bodyParameters: body,
    additionalHeaders: { 'content-type': 'text/plain' },
    isStreamingRequest: false,
  })

type ImportResult = { success: boolean; code?: number; error?: string }

/** There is one line for each document, in the order of the documents. */
function failuresOf(results: string, ids: string[]): ImportFailure[] {
  const lines = results.split('\n').filter(Boolean)
  if (lines.length !== ids.length)
    throw new TypesenseFailure(200, `${lines.length} results for ${ids.length} documents`)
  return lines.flatMap((line, at) => {
    const { success, code = 400, error } = JSON.parse(line) as ImportResult
    return success ? [] : [{ id: ids[at] ?? '', status: code, reason: error ?? 'unknown' }]
  })
}

/** Unknown ids are ignored. */
export async function removeDocuments(
  connection: Connection,
  collection: string,
  ids: string[],
): Promise<void> {
  const valid = ids.filter(isUuid).map((id) => id.toLowerCase())
  for (let at = 0; at < valid.length; at += idsOfRequestMax) {
    const filter = `id:[${valid.slice(at, at + idsOfRequestMax).join(',')}]`
    await ifFound(
      connection.write((client) =>
        client.collections(collection).documents().delete({ filter_by: filter }),
      ),
    )
  }
}
