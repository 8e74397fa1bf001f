import { isObject, type Json } from './json-value.js'

/** The keys and the texts of JSON, each once, in their order; at most `countMax` of at most 200 characters. */
export function jsonStrings(json: Json, countMax: number): { keys: string[]; texts: string[] } {
  const keys = new Set<string>()
  const texts = new Set<string>()
  const open: Json[] = [json]
  for (let visited = 0; visited < 20 * countMax; visited++) {
    const value = open.pop()
    if (value === undefined) break
    if (typeof value === 'string' && value.length <= 200 && texts.size < countMax) texts.add(value)
    if (isObject(value) && keys.size < countMax) for (const key of Object.keys(value)) keys.add(key)
    if (typeof value !== 'object' || value === null) continue
    const children = Object.values(value).slice(0, countMax)
    for (let n = children.length - 1; n >= 0; n--) open.push(children[n] ?? null)
  }
  return { keys: [...keys].slice(0, countMax), texts: [...texts] }
}
