import { Failure } from './failure.js'
import type { Field, StoredDocument } from './store.js'
import { tokensOf } from './tokens.js'

type Matches = (document: StoredDocument) => boolean

const operationsMax = 100
const spaces = /\s*/y
const name = /[\w.]+/y
const operator = /:(!?=)?/y
const bare = /[^\s()&|,[\]`]+/y
const quoted = /`([^`]*)`/y

/** Parses `filter_by`: `field:value`, `field:=value`, `field:!=value`, lists in brackets, `&&` before `||`, `( )`. */
export function parseFilter(text: string, fields: Field[]): Matches {
  let at = 0
  let operations = 0
  const fail = (what: string): never => {
    throw new Failure(400, `Could not parse the filter query: ${what} at ${at}.`)
  }
  const take = (pattern: RegExp) => {
    spaces.lastIndex = at
    at += spaces.exec(text)?.[0].length ?? 0
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found
  }
  const takeText = (expected: string) => {
    take(/(?:)/y)
    if (!text.startsWith(expected, at)) return false
    at += expected.length
    return true
  }
  const value = (): string => take(quoted)?.[1] ?? take(bare)?.[0] ?? fail('a value is missing')
  const values = () => {
    if (!takeText('[')) return [value()]
    const list = [value()]
    while (takeText(',')) list.push(value())
    return takeText(']') ? list : fail('] is missing')
  }
  const condition = (): Matches => {
    if (takeText('(')) {
      const inner = either()
      return takeText(')') ? inner : fail(') is missing')
    }
    if (++operations > operationsMax) fail('too many operations')
    const field = take(name)?.[0] ?? fail('a field is missing')
    const found = take(operator) ?? fail('an operator is missing')
    return conditionOf(field, found[1] ?? '', values(), fields)
  }
  const both = (): Matches => {
    let left = condition()
    while (takeText('&&')) {
      const [before, next] = [left, condition()]
      left = (document) => before(document) && next(document)
    }
    return left
  }
  const either = (): Matches => {
    let left = both()
    while (takeText('||')) {
      const [before, next] = [left, both()]
      left = (document) => before(document) || next(document)
    }
    return left
  }
  const parsed = either()
  take(/(?:)/y)
  return at === text.length ? parsed : fail('unexpected text')
}

function conditionOf(field: string, sign: string, values: string[], fields: Field[]): Matches {
  const found = fields.find((one) => one.name === field && one.index !== false)
  if (!found && field !== 'id')
    throw new Failure(404, `Could not find a filter field named \`${field}\` in the schema.`)
  const isBoolean = values.every((one) => one === 'true' || one === 'false')
  if (found?.type === 'bool' && !isBoolean)
    throw new Failure(400, `Value of filter field \`${field}\` must be \`true\` or \`false\`.`)
  const wanted = new Set(values)
  const isWhole = field === 'id' || sign !== '' || found?.type === 'bool'
  const isOne = (stored: unknown) =>
    isWhole ? wanted.has(String(stored)) : values.some((one) => hasWords(String(stored), one))
  return (document) => {
    const stored = document[field]
    if (stored === undefined) return sign === '!='
    const matches = Array.isArray(stored) ? stored.some(isOne) : isOne(stored)
    return sign === '!=' ? !matches : matches
  }
}

function hasWords(stored: string, words: string): boolean {
  const tokens = new Set(tokensOf(stored))
  return tokensOf(words).every((word) => tokens.has(word))
}
