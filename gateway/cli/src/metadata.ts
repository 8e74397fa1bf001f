import { usageError } from './failure.js'

/** `seed=42` and others. A value that is JSON counts as JSON, otherwise as text. */
export function parseMetadata(pairs: string[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(parsePair))
}

/** The same with each value as it is written. */
export function parseMetadataTexts(pairs: string[]): Record<string, string> {
  return Object.fromEntries(pairs.map(splitPair))
}

function parsePair(pair: string): [string, unknown] {
  const [key, text] = splitPair(pair)
  return [key, parseValue(text)]
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=')
  if (at < 1) throw usageError(`--meta ${pair} is not key=value`)
  return [pair.slice(0, at), pair.slice(at + 1)]
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
