import { type Html, html } from '@figbase/kit/text'
import type { Texts } from '../../texts/texts.js'

/** The form that leads to the search page, with `filters` below. */
export const searchBox = (
  { t }: Texts,
  {
    q = '',
    workspace = '',
    filters = html``,
  }: { q?: string; workspace?: string; filters?: Html } = {},
): Html =>
  html`<form class="search" method="get" action="/search/" role="search">
<label>${t(workspace ? 'search.inWorkspace' : 'search.words')}
<input type="search" name="q" value="${q}" maxlength="1000"></label>
<button>${t('search.submit')}</button>${filters}${workspace ? html`<input type="hidden" name="workspace" value="${workspace}">` : html``}</form>`
