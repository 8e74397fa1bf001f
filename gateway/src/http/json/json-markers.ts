import { randomBytes } from 'node:crypto'

// A marker stands for a value while JSON.stringify runs: U+0000, which user text never contains (see
// findInvalidText), a secret of this process, the number of the call and that of the insert. It cannot be
// guessed, and a leaked one is useless for other calls.
const secret = randomBytes(12).toString('base64url')

let callCount = 0
let current: { call: number; inserts: JsonInsert[] } | undefined

/** A value that JSON.stringify cannot write; `writeJson` inserts it afterwards. */
export abstract class JsonInsert {
  toJSON(): string {
    if (!current) throw new Error(`only writeJson can write a ${this.constructor.name}`)
    const index = current.inserts.push(this) - 1
    return `\0${secret}:${current.call}:${index}`
  }
}

/** The JSON text of a value, split at its inserts: text, insert, text, …, text. */
export function cutAtInserts(value: unknown): (string | JsonInsert)[] {
  const outer = current
  const call = ++callCount
  const inserts: JsonInsert[] = []
  current = { call, inserts }
  let text: string
  try {
    // Despite its type, JSON.stringify returns undefined for undefined and functions.
    text = JSON.stringify(value) ?? 'null'
  } finally {
    current = outer
  }
  return inserts.length === 0 ? [text] : cut(text, `"\\u0000${secret}:${call}:`, inserts)
}

function cut(text: string, marker: string, inserts: JsonInsert[]): (string | JsonInsert)[] {
  const parts: (string | JsonInsert)[] = []
  let start = 0
  for (let found = text.indexOf(marker); found !== -1; found = text.indexOf(marker, start)) {
    const end = text.indexOf('"', found + marker.length)
    const insert = inserts[Number(text.slice(found + marker.length, end))]
    if (!insert) throw new Error('JSON marker without a value')
    parts.push(text.slice(start, found), insert)
    start = end + 1
  }
  parts.push(text.slice(start))
  return parts
}
