import { html } from '@figbase/kit'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { childrenOf, closed, getNode } from '../routes/nodes.js'
import { heading } from './heading.js'
import { idIn } from './ids.js'
import { rows } from './lists.js'
import { type Page, page } from './page.js'
import { day, named } from './text.js'

export const workspace = page('/workspace/:id/', workspacePage)
export const organization = page('/organization/:id/', organizationPage)

async function workspacePage(input: Input): Promise<Page> {
  const node = await getNode(input, idIn(input), NodeType.WORKSPACE)
  const [analyses, assets] = await Promise.all([
    childrenOf(input, closed(node), NodeType.ANALYSIS),
    childrenOf(input, closed(node), NodeType.ASSET),
  ])
  return {
    title: node.name,
    content: html`<article>${heading('Workspace', node)}
${list(input, 'Analyses', 'analysis', analyses)}
${list(input, 'Assets', 'asset', assets)}</article>`,
  }
}

async function organizationPage(input: Input): Promise<Page> {
  const node = await getNode(input, idIn(input), NodeType.ORGANIZATION)
  const workspaces = await childrenOf(input, closed(node), NodeType.WORKSPACE)
  return {
    title: node.name,
    content: html`<article>${heading('Organization', node)}
${list(input, 'Workspaces', 'workspace', workspaces)}</article>`,
  }
}

function list({ cfg }: Input, title: string, segment: string, nodes: Node[]) {
  const items = nodes.slice(0, cfg.pageItemsMax).map((node) => ({
    href: `/${segment}/${node.id}`,
    caption: named(node.name),
    note: html`last changed on ${day(node.childUpdatedOn ?? node.updatedOn ?? node.createdOn)}`,
  }))
  return rows(title, items, nodes.length)
}
