import { html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { type Problem, problemText } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { kinds, pagePath } from '../kinds.js'
import type { Page } from '../page.js'
import { getPlaced } from '../placed.js'
import { nameHtml } from '../text.js'

/** Without a revision and a problem, publishing failed in a way that the user cannot fix. */
export type Outcome = { name: string; revisionId?: string; problem?: Problem }

/** What was published of several figures, and what not. `unused`: the names of files that belong to no figure. */
export async function outcomePage(
  input: Input,
  outcomes: Outcome[],
  unused: string[],
): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const placed = await getPlaced(input, idIn(input), kinds.analysis.type)
  const published = outcomes.filter(({ revisionId }) => revisionId)
  const failed = outcomes.filter(({ revisionId }) => !revisionId)
  const links = published.map(
    ({ name, revisionId = '' }) => html`<li><a href="/r/${revisionId}/">${nameHtml(name)}</a></li>`,
  )
  const problems = failed.map(
    ({ name, problem }) =>
      html`<li><strong>${nameHtml(name)}</strong>: ${problem ? problemText(t, problem) : t('publish.failedOne')}</li>`,
  )
  return {
    title: t('publish.many'),
    content: html`${pathTo(texts, placed)}<h1>${t('publish.many')}</h1>
${failed.length > 0 ? html`<div class="problem" role="alert"><p>${t('publish.failed', { count: failed.length })}</p><ul>${problems}</ul></div>` : html``}
${published.length > 0 ? html`<p role="status">${t('publish.done', { count: published.length })}</p><ul>${links}</ul>` : html``}
${unused.length > 0 ? html`<p class="quiet">${t('publish.unused', { names: unused.join(', ') })}</p>` : html``}
<p class="actions"><a href="${pagePath(placed.node)}publish/">${t('publish.more')}</a></p>`,
  }
}
