import { readFileSync } from 'node:fs'

/** The version of the product. */
export function readVersion(): string {
  const manifest = new URL('../../../../package.json', import.meta.url)
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}
