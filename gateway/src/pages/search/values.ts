import { NodeType } from '@figbase/proto/catalog'
import { SearchType } from '@figbase/proto/search'
import { z } from 'zod'

/** How the words of a search are used. */
export const types = {
  words: SearchType.KEYWORD,
  any: SearchType.TEXT,
  meaning: SearchType.SEMANTIC,
}

type By = keyof typeof types

/** The kinds of objects that a search may be limited to. */
export const foundKinds = {
  figure: NodeType.FIGURE,
  revision: NodeType.FIGURE_REVISION,
  asset: NodeType.ASSET,
  asset_revision: NodeType.ASSET_REVISION,
  story: NodeType.STORY,
  analysis: NodeType.ANALYSIS,
  workspace: NodeType.WORKSPACE,
}

type FoundKind = keyof typeof foundKinds

/** The results that a search shows first. */
export const resultsFirst = 50

export const query = z.object({
  q: z.string().catch(''),
  by: z.enum(Object.keys(types) as By[]).catch('words'),
  kind: z
    .enum(Object.keys(foundKinds) as FoundKind[])
    .or(z.literal(''))
    .catch(''),
  workspace: z.string().max(100).catch(''),
  analysis: z.string().max(100).catch(''),
  stale: z.enum(['1', '']).catch(''),
  count: z.coerce.number().int().min(1).max(1000).catch(resultsFirst),
})

/** What is searched for, and how. `meta`: `name=value`, each a parameter of its own. */
export type Values = z.output<typeof query> & { meta: string[] }

/** Parameters of the same name, which the query of a route does not have. */
export const metaIn = (url: string): string[] =>
  new URLSearchParams(url.split('?')[1] ?? '')
    .getAll('meta')
    .map((text) => text.trim())
    .filter((text) => text !== '')

/** What is before the first `=`, and after it. Without it there is no key, which is refused. */
export function metadataOf(text: string): { key: string; value: string } {
  const at = text.indexOf('=')
  if (at < 0) return { key: '', value: text }
  return { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim() }
}

/** The address of a search; it names only what is not the default. */
export function searchPath({
  q = '',
  by = 'words',
  kind = '',
  workspace = '',
  analysis = '',
  stale = '',
  count = resultsFirst,
  meta = [],
}: Partial<Values>): string {
  const named: [string, string][] = [
    ['q', q],
    ['by', by === 'words' ? '' : by],
    ['kind', kind],
    ...meta.map((text): [string, string] => ['meta', text]),
    ['workspace', workspace],
    ['analysis', analysis],
    ['stale', stale],
    ['count', count === resultsFirst ? '' : String(count)],
  ]
  const search = String(new URLSearchParams(named.filter(([, value]) => value !== '')))
  return search ? `/search/?${search}` : '/search/'
}
