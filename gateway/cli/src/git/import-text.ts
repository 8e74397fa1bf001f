import type { Schemas } from '@figbase/client'
import { plain } from '../text.js'
import type { GitImport } from './imports.js'

const shortCommit = 12

export const commitOf = ({ commit }: GitImport): string => (commit ?? '').slice(0, shortCommit)

/** What an import did and left out, in lines without control characters. */
export function summaryOf(one: GitImport): string[] {
  const { figures, assets, refused, refused_count } = one
  const more = refused_count - refused.length
  return [
    `imported  ${plain(commitOf(one))}`,
    countsOf('figure', figures),
    countsOf('asset', assets),
    ...(refused_count > 0 ? [`${plural(refused_count, 'path')} not imported:`] : []),
    ...refused.map(({ path, problem }) => `  ${plain(path)}: ${plain(problem)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

const countsOf = (noun: string, { total, created, changed, renamed }: Schemas['GitCounts']) =>
  `${plural(total, noun)}: ${created} new, ${changed} changed, ${renamed} renamed`

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What an import did and left out, or why it failed, in a few words. Empty before its end. */
export function outcomeOf({ ended_on, error, figures, assets, refused_count }: GitImport): string {
  if (error !== null) return error
  if (ended_on === null) return ''
  const counts = {
    new: figures.created + assets.created,
    changed: figures.changed + assets.changed,
    renamed: figures.renamed + assets.renamed,
    'not imported': refused_count,
  }
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.map(([what, count]) => `${count} ${what}`).join(', ') || 'nothing new'
}
