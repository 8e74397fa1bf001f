import type { Slide } from '@figbase/proto/stories'
import { parsedJson } from '../json.js'

/** The data of a slide that shows another revision now: what the server wrote about the other one is left out. */
export function dataFor({ dataJson, revisionId: before }: Slide, revisionId: string): string {
  if (revisionId === before) return dataJson
  const { methods, data, availability, ...others } = Object(parsedJson(dataJson)?.value)
  return JSON.stringify(others)
}
