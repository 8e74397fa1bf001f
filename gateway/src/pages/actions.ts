import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { MessageKey, Texts } from '../texts/texts.js'
import { pagePath } from './kinds.js'
import { may, type Placed } from './placed.js'

const { ORGANIZATION, WORKSPACE, ANALYSIS, FIGURE, ASSET, FIGURE_REVISION, ASSET_REVISION, STORY } =
  NodeType

type Action = {
  /** The last part of the address of its page, which is below that of the object. */
  name: string
  label: MessageKey
  types: NodeType[]
  permission: Parameters<typeof may>[1]
  needsAi?: boolean
  needsCompute?: boolean
}

const movable = [ANALYSIS, FIGURE, ASSET]
const containers = [ORGANIZATION, WORKSPACE, ...movable]
const shareable = [...movable, FIGURE_REVISION, ASSET_REVISION, STORY]

/** What a reader may do with an object, in the order of the links. */
const actions: Action[] = [
  { name: 'publish', label: 'publish.title', types: [FIGURE], permission: 'CREATE' },
  { name: 'publish', label: 'publish.many', types: [ANALYSIS], permission: 'CREATE' },
  {
    name: 'notebooks',
    label: 'compute.title',
    types: [WORKSPACE],
    permission: 'COMMENT',
    needsCompute: true,
  },
  {
    name: 'repositories',
    label: 'git.title',
    types: [WORKSPACE, ANALYSIS],
    permission: 'CREATE',
  },
  { name: 'members', label: 'members.title', types: [WORKSPACE], permission: 'VIEW' },
  { name: 'members', label: 'members.title', types: [ORGANIZATION], permission: 'MANAGE' },
  {
    name: 'ask',
    label: 'insight.title',
    types: [FIGURE_REVISION],
    permission: 'COMMENT',
    needsAi: true,
  },
  { name: 'share', label: 'share.title', types: shareable, permission: 'SHARE' },
  { name: 'activity', label: 'activity.title', types: containers, permission: 'COMMENT' },
  { name: 'stale', label: 'stale.title', types: [WORKSPACE], permission: 'VIEW' },
  { name: 'usage', label: 'usage.title', types: [ORGANIZATION, WORKSPACE], permission: 'MANAGE' },
  {
    name: 'storage',
    label: 'storage.title',
    types: [ORGANIZATION, WORKSPACE],
    permission: 'MANAGE',
  },
  {
    name: 'webhooks',
    label: 'webhooks.title',
    types: [ORGANIZATION, WORKSPACE],
    permission: 'MANAGE',
  },
  { name: 'edit', label: 'action.edit', types: [...containers, STORY], permission: 'UPDATE' },
  { name: 'history', label: 'story.history', types: [STORY], permission: 'UPDATE' },
  { name: 'export', label: 'story.export', types: [STORY], permission: 'COMMENT' },
  { name: 'move', label: 'action.move', types: [...movable, STORY], permission: 'UPDATE' },
  { name: 'delete', label: 'action.delete', types: [...containers, STORY], permission: 'DELETE' },
  {
    name: 'deleted',
    label: 'action.deleted',
    types: [ORGANIZATION, WORKSPACE],
    permission: 'DELETE',
  },
]

export function actionsFor(
  { t }: Texts,
  placed: Placed,
  { isAiEnabled = false }: { isAiEnabled?: boolean } = {},
): Html {
  const links = actions
    .filter(({ types, permission }) => types.includes(placed.node.type) && may(placed, permission))
    .filter(({ needsAi }) => isAiEnabled || !needsAi)
    .filter(({ needsCompute }) => placed.node.computeEnabled || !needsCompute)
    .map(
      ({ name, label }) =>
        html`<li><a href="${pagePath(placed.node)}${name}/">${t(label)}</a></li>`,
    )
  return links.length === 0 ? html`` : html`<ul class="actions">${links}</ul>`
}
