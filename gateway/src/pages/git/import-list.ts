import { type Html, html } from '@figbase/kit/text'
import { type GitImport, GitImportTrigger } from '@figbase/proto/git'
import type { Input } from '../../endpoint.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { entryList } from '../lists.js'
import { nextLink } from '../next-link.js'
import { stateOf } from './import-state.js'

const triggers: Partial<Record<GitImportTrigger, MessageKey>> = {
  [GitImportTrigger.SCHEDULE]: 'git.bySchedule',
  [GitImportTrigger.PUSH]: 'git.byPush',
}
const shortCommit = 12

/** A page of the imports, newest first, each with what it did and what it left out. */
export function importList(input: Input, imports: GitImport[], nextPageToken: string): Html {
  const { t } = textsOf(input)
  const entries = imports.map((one) => entry(input, one))
  return html`${entryList(entries, t('git.neverImported'))}${nextLink(input, nextPageToken)}`
}

function entry(input: Input, one: GitImport): Html {
  const texts = textsOf(input)
  const { t, dateTime } = texts
  const trigger = triggers[one.trigger]
  const notes = [
    dateTime(one.createdOn),
    ...(trigger ? [t(trigger)] : []),
    ...(one.commit ? [html`<code>${one.commit.slice(0, shortCommit)}</code>`] : []),
  ]
  const error = one.error ? html`<p class="problem" lang="en">${one.error}</p>` : html``
  return html`<li><div>${stateOf(texts, one)}
<span class="quiet">${notes.map((note, i) => (i > 0 ? html` · ${note}` : note))}</span>${countsOf(input, one)}${error}${refusedOf(input, one)}</div></li>`
}

function countsOf(input: Input, { endedOn, counts }: GitImport): Html {
  if (!endedOn || !counts) return html``
  const { t } = textsOf(input)
  const { figures, figuresCreated, figuresChanged, figuresRenamed } = counts
  const { assets, assetsCreated, assetsChanged, assetsRenamed } = counts
  const ofFigures = { total: figures, created: figuresCreated, changed: figuresChanged }
  const ofAssets = { total: assets, created: assetsCreated, changed: assetsChanged }
  const lines = [
    t('git.figures', { ...ofFigures, renamed: figuresRenamed }),
    ...(assets > 0 ? [t('git.assets', { ...ofAssets, renamed: assetsRenamed })] : []),
  ]
  return html`<p>${lines.map((line, i) =>
    i > 0
      ? html`<br>
${line}`
      : line,
  )}</p>`
}

function refusedOf(input: Input, { counts, refused }: GitImport): Html {
  const { t } = textsOf(input)
  const count = counts?.refused ?? 0
  if (count === 0) return html``
  const entries = refused.map(
    ({ path, reason }) =>
      html`<li><code dir="ltr">${path}</code> <span lang="en">${reason}</span></li>`,
  )
  return html`<details><summary>${t('git.refused', { count })}</summary><ul>${entries}</ul></details>`
}
