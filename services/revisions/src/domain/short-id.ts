import { randomInt } from 'node:crypto'

const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const prefixChars = 8

/** A prefix of 8 digits, then a number without leading zeros, so that every short id has one form. */
const canonical = /^([0-9a-zA-Z]{8})(?:0|[1-9a-zA-Z][0-9a-zA-Z]{0,7})$/

/** The prefix of a short id. Undefined if the text is not a short id. */
export function prefixOf(text: string): string | undefined {
  return canonical.exec(text)?.[1]
}

export const shortIdOf = (prefix: string, index: number): string => prefix + base62(index)

/** Random, so that nobody can predict it. */
export const newPrefix = (): string =>
  Array.from({ length: prefixChars }, () => digits[randomInt(digits.length)]).join('')

function base62(index: number): string {
  const head = index < digits.length ? '' : base62(Math.floor(index / digits.length))
  return head + digits[index % digits.length]
}
