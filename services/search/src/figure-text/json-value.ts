/** A value of untrusted JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Undefined if the text is not a JSON object or array, or longer than `charsMax`. */
export function parseJson(text: string, charsMax: number): JsonObject | Json[] | undefined {
  if (text.length > charsMax || !/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : []

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

/** The texts of a title: text, lines of text, or an object with such a `text` and `subtitle`. */
export function titleTexts(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.filter((line) => typeof line === 'string')
  return isObject(value) ? [...titleTexts(value.text), ...titleTexts(value.subtitle)] : []
}

export const isOneOf = (value: Json | undefined, values: readonly string[]): boolean =>
  typeof value === 'string' && values.includes(value)
