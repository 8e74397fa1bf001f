import { readFileSync } from 'node:fs'

let known: string | undefined

/** The version of Figbase that runs. */
export function readVersion(): string {
  const manifest = new URL('../../../package.json', import.meta.url)
  known ??= (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
  return known
}
