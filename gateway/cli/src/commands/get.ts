import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { download } from '@figbase/client'
import { type CommonOptions, type Connection, connect } from '../connection.js'
import { notFound, usageError } from '../failure.js'
import { toFileNames } from '../file-names.js'
import { type DataObject, dataOf, revisionOf } from '../newest-revision.js'
import { printLine, show } from '../output.js'
import { fileExists, save, toStandardOutput } from '../save.js'
import { plain } from '../text.js'

type Options = CommonOptions & { output: string; name?: string; force?: boolean }

/** Downloads the data objects of a revision: all into a folder, or one into a file. The client checks their hashes. */
export async function get(text: string, options: Options): Promise<void> {
  const { output, name, force, json } = options
  const connection = await connect(options)
  const objects = await dataOf(connection.figbase, await revisionOf(connection, text))
  const chosen = name === undefined ? objects : objects.filter((one) => one.name === name)
  if (chosen.length === 0) {
    throw notFound(name === undefined ? `${text} has no data` : `${text} has no ${name}`)
  }
  if (output === '-') {
    if (json) throw usageError('Use either --json or -o -')
    await toStandardOutput((await download(connection.figbase, one(chosen).api_id)).body)
    return
  }
  const isFolder = output.endsWith('/') || (existsSync(output) && statSync(output).isDirectory())
  const wanted = isFolder ? inFolder(output, chosen) : [{ object: one(chosen), file: output }]
  const there = wanted.find(({ file }) => !force && existsSync(file))
  if (there) throw fileExists(there.file)
  if (isFolder) mkdirSync(output, { recursive: true })
  for (const each of wanted) await fetchOne(connection, each, force)
  const saved = wanted.map(({ object: { api_id, type, hash }, file }) => ({
    file,
    api_id,
    type,
    hash,
  }))
  show(json, saved, () => {
    for (const { file } of saved) printLine(plain(file))
  })
}

type Wanted = { object: DataObject; file: string }

/** The picture, if the name does not decide. */
function one(objects: DataObject[]): DataObject {
  const chosen = objects.find(({ type }) => type === 'image') ?? objects[0]
  if (objects.length > 1 && chosen?.type !== 'image') {
    const names = objects.map((object) => object.name).join(', ')
    throw usageError(`Which one? Use --name with one of ${names}`)
  }
  return chosen as DataObject
}

function inFolder(folder: string, objects: DataObject[]): Wanted[] {
  const names = toFileNames(objects)
  return objects.map((object, at) => ({ object, file: join(folder, names[at] ?? '') }))
}

async function fetchOne({ figbase }: Connection, { object, file }: Wanted, force?: boolean) {
  const { body } = await download(figbase, object.api_id)
  await save(body, file, force)
}
