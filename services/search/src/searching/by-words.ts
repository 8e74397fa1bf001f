import type { Ctx } from '../context.js'
import type { Filter, TextHit } from '../engine/port.js'
import { parseQuery } from '../text/parse-query.js'

/** Finds a page of hits, from an offset on. */
export type Find = (offset: number, limit: number) => Promise<TextHit[]>

/** All words must be found (`isKeyword`, with highlights), or some of them. */
export function byWords(
  { engine }: Pick<Ctx, 'engine'>,
  text: string,
  isKeyword: boolean,
  filter: Filter,
): Find {
  const query = parseQuery(text, isKeyword ? 'all' : 'any')
  return (offset, limit) => engine.find(query, filter, { offset, limit, withHighlights: isKeyword })
}
