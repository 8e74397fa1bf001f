import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type Html, html } from '@figbase/kit/text'
import type { Node } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Texts } from '../../texts/texts.js'

const sourcePattern = /^git\+(.+)@([0-9a-f]{40,64})#(.*)$/
const shortCommit = 12

/** The paths of commits on hosts whose pages are known. */
const commitPaths: Record<string, string> = {
  'github.com': 'commit',
  'gitlab.com': '-/commit',
  'codeberg.org': 'commit',
  'gitea.com': 'commit',
  'bitbucket.org': 'commits',
}

/** Where an imported revision comes from; undefined for others. */
export function importedFrom(
  texts: Texts,
  { importSource, metadataJson }: Revision,
): Html | undefined {
  const source = sourceOf(importSource)
  if (!source) return undefined
  const { t, date } = texts
  const change = changeOf(metadataJson, source.commit)
  const by = change
    ? html` ${t('revision.importedBy', { author: change.author, date: date(timestampFromDate(change.date)) })}`
    : html``
  return html`<p>${t('revision.imported', source.parts)}${by}</p>`
}

/** Where the first revision of an imported figure comes from; empty for others. */
export function figureImportedFrom({ t }: Texts, { importSource }: Node): Html {
  const source = sourceOf(importSource)
  return source ? html`<p>${t('figure.imported', source.parts)}</p>` : html``
}

function sourceOf(importSource: string) {
  const [, repository = '', commit = '', path = ''] = sourcePattern.exec(importSource) ?? []
  if (commit === '') return undefined
  const url = commitUrl(repository, commit)
  const short = html`<code>${commit.slice(0, shortCommit)}</code>`
  const parts = {
    repository: html`<span dir="ltr">${repository}</span>`,
    commit: url ? html`<a href="${url}" rel="nofollow noreferrer">${short}</a>` : short,
    path: html`<code dir="ltr">${decoded(path)}</code>`,
  }
  return { commit, parts }
}

function commitUrl(repository: string, commit: string): string | undefined {
  const url = URL.canParse(repository) ? new URL(repository) : undefined
  const path = url?.protocol === 'https:' ? commitPaths[url.host] : undefined
  if (!url || path === undefined) return undefined
  const place = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  return `https://${url.host}${place}/${path}/${commit}`
}

/** The author may have been changed with the metadata, so it counts only if it is about this commit. */
function changeOf(metadataJson: string, commit: string) {
  try {
    const { git } = JSON.parse(metadataJson) as { git?: Record<string, unknown> }
    if (git?.commit !== commit || typeof git.author !== 'string' || typeof git.date !== 'string')
      return undefined
    const date = new Date(git.date)
    return Number.isNaN(date.getTime()) ? undefined : { author: git.author, date }
  } catch {
    return undefined
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
