import { type Html, html } from '@figbase/kit/text'
import type { MessageKey, Texts } from '../../texts/texts.js'
import type { Kind } from '../kinds.js'
import type { BrowseQuery, Sort } from './query.js'

const sorts: [Sort, MessageKey][] = [
  ['', 'listForm.oldest'],
  ['newest', 'listForm.newest'],
  ['changed', 'listForm.changed'],
  ['name', 'listForm.name'],
]

/** The form that orders and filters a list. `searchHref`: the search in this place, which finds by more. */
export function listForm(
  { t }: Texts,
  { segment }: Kind,
  query: BrowseQuery,
  searchHref: string | undefined,
): Html {
  const { view = '', sort = '', words = '', by = '', from = '', until = '' } = query
  const options = sorts.map(
    ([value, label]) =>
      html`<option value="${value}"${value === sort ? html` selected=""` : html``}>${t(label)}</option>`,
  )
  return html`<form class="filter" method="get"><input type="hidden" name="list" value="${segment}">
<input type="hidden" name="view" value="${view}">
<label>${t('listForm.words')} <input name="words" value="${words}" maxlength="1000"></label>
<label>${t('listForm.order')} <select name="sort">${options}</select></label>
<label>${t('listForm.by')} <input name="by" value="${by}" maxlength="100" autocapitalize="none"></label>
<label>${t('listForm.from')} <input type="date" name="from" value="${from}"></label>
<label>${t('listForm.until')} <input type="date" name="until" value="${until}"></label>
<button>${t('listForm.show')}</button></form>
${searchHref ? html`<p class="way"><a href="${searchHref}">${t('listForm.search')}</a></p>` : html``}`
}
