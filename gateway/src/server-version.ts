import { readFileSync } from 'node:fs'

let known: string | undefined

/** The version in this package's `package.json`, read on first use. */
export function readServerVersion(): string {
  known ??= readManifest().version
  return known
}

function readManifest() {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return JSON.parse(text) as { version: string }
}
