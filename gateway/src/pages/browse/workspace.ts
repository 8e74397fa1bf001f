import { html } from '@figbase/kit/text'
import type { Input } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { heading } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { type Page, page } from '../page.js'
import { may, type Placed } from '../placed.js'
import { searchBox } from '../search/search-box.js'
import { hasListForm, readBrowsed, section } from './lists.js'
import { newLinks } from './new-links.js'
import { browseQuery } from './query.js'

const { organization: ofOrganization, workspace: ofWorkspace, analysis, asset, story } = kinds

export const workspace = page(
  '/workspace/:id/',
  (input) => containerPage(input, ofWorkspace, [analysis, asset, story]),
  { query: browseQuery },
)

export const organization = page(
  '/organization/:id/',
  (input) => containerPage(input, ofOrganization, [ofWorkspace]),
  { query: browseQuery },
)

async function containerPage(input: Input, kind: Kind, lists: Kind[]): Promise<Page> {
  const texts = textsOf(input)
  const { placed, pages } = await readBrowsed(input, idIn(input), kind, lists)
  const { node } = placed
  const isSearchable = kind === ofWorkspace && input.username !== ''
  const search = kind === ofWorkspace ? { search: { workspace: node.id } } : {}
  const box = isSearchable ? searchBox(texts, { workspace: node.id }) : html``
  return {
    title: html`${node.name}`,
    hasForm: isSearchable || hasListForm(input),
    content: html`<article>${await heading(texts, placed)}
${newLinks(texts, placed, lists)}${leaveLink(input, placed)}${box}
${pages.map((read) => section(input, read, search))}</article>`,
  }
}

/** For members of an organization who do not see its members. Nobody else views it. */
function leaveLink(input: Input, placed: Placed) {
  const { node } = placed
  if (node.type !== ofOrganization.type || may(placed, 'MANAGE')) return html``
  const href = `${pagePath(node)}members/remove/${encodeURIComponent(input.username)}/`
  return html`<p class="way"><a href="${href}">${textsOf(input).t('members.leaveOrganization')}</a></p>`
}
