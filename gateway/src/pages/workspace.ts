import { html } from '@figbase/kit/text'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { childrenOf, getNode } from '../nodes/lists.js'
import { withoutLists } from '../nodes/node-with-lists.js'
import { heading } from './heading.js'
import { idIn } from './ids.js'
import { rows } from './lists.js'
import { type Page, page } from './page.js'
import { dateHtml, nameHtml } from './text.js'

export const workspace = page('/workspace/:id/', workspacePage)
export const organization = page('/organization/:id/', organizationPage)

async function workspacePage(input: Input): Promise<Page> {
  const node = await getNode(input, idIn(input), NodeType.WORKSPACE)
  const [analyses, assets, stories] = await Promise.all([
    childrenOf(input, withoutLists(node), NodeType.ANALYSIS),
    childrenOf(input, withoutLists(node), NodeType.ASSET),
    childrenOf(input, withoutLists(node), NodeType.STORY),
  ])
  return {
    title: node.name,
    content: html`<article>${heading('Workspace', node)}
${list(input, 'Analyses', 'analysis', analyses)}
${list(input, 'Assets', 'asset', assets)}
${list(input, 'Stories', 'story', stories)}</article>`,
  }
}

async function organizationPage(input: Input): Promise<Page> {
  const node = await getNode(input, idIn(input), NodeType.ORGANIZATION)
  const workspaces = await childrenOf(input, withoutLists(node), NodeType.WORKSPACE)
  return {
    title: node.name,
    content: html`<article>${heading('Organization', node)}
${list(input, 'Workspaces', 'workspace', workspaces)}</article>`,
  }
}

function list({ cfg }: Input, title: string, segment: string, nodes: Node[]) {
  const items = nodes.slice(0, cfg.pageItemsMax).map((node) => ({
    href: `/${segment}/${node.id}`,
    caption: nameHtml(node.name),
    note: html`last changed ${dateHtml(node.childUpdatedOn ?? node.updatedOn ?? node.createdOn)}`,
  }))
  return rows(title, items, nodes.length)
}
