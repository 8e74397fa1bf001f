import { extname } from 'node:path'
import type { DataObject } from './newest-revision.js'
import { plain } from './text.js'

const nameBytesMax = 200

/** A safe name for a file in a folder: what a server sends may be `../.bashrc`, or contain control characters. */
export function toFileName(name: string): string {
  const safe = plain(name)
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  const short = Buffer.from(safe)
    .subarray(0, nameBytesMax)
    .toString()
    .replace(/\ufffd+$/, '')
  return short === '' ? 'unnamed' : short
}

/** Different names for all objects of a revision. */
export function toFileNames(objects: Pick<DataObject, 'name' | 'type' | 'metadata'>[]): string[] {
  const taken = new Set<string>()
  return objects.map((object) => {
    const whole = withExtension(toFileName(object.name ?? object.type), object)
    const extension = extname(whole)
    const stem = whole.slice(0, whole.length - extension.length)
    let free = whole
    // Some file systems do not distinguish cases.
    for (let at = 2; taken.has(free.toLowerCase()); at++) free = `${stem} (${at})${extension}`
    taken.add(free.toLowerCase())
    return free
  })
}

/** Pictures of notebooks have no extension in their names. */
function withExtension(name: string, { type, metadata }: Pick<DataObject, 'type' | 'metadata'>) {
  const format = metadata?.format
  if (type !== 'image' || extname(name) !== '' || typeof format !== 'string') return name
  return /^\w{1,10}$/.test(format) ? `${name}.${format}` : name
}
