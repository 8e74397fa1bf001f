import { readdirSync, readFileSync } from 'node:fs'

/** Reads the messages of each language by its tag, English first. A file adds a language. */
export function readMessages<M extends Record<string, string>>(
  folder: URL,
): ReadonlyMap<string, M> {
  const languages = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort((one, other) => Number(other === 'en') - Number(one === 'en'))
  const read = (language: string) =>
    JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as M
  return new Map(languages.map((language) => [language, read(language)]))
}
