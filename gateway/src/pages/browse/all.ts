import { html } from '@figbase/kit/text'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { pageNotFound } from '../ids.js'
import { type Kind, kinds } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { hasListForm, section, selectedPage, toPage } from './lists.js'
import { browseQuery, queryOf } from './query.js'

/** The objects of one kind of which the reader is a member, page by page. */
export const allPages: Route[] = [kinds.workspace, kinds.organization].map((kind) =>
  userPage(`/${kind.segment}/`, (input) => allPage(input, kind), { query: browseQuery }),
)

async function allPage(input: Input, kind: Kind): Promise<Page> {
  const { t } = textsOf(input)
  const { type, names, segment } = kind
  const { list = segment } = queryOf(input)
  if (list !== segment) throw pageNotFound()
  const request = { type, ...selectedPage(input) }
  const page = await input.services.catalog.listNodes(request, input.call)
  return {
    title: t(names),
    hasForm: hasListForm(input),
    content: html`${section(input, toPage(kind, page), { isMain: true })}
<p class="way"><a href="/${segment}/deleted/">${t('action.deleted')}</a></p>`,
  }
}
