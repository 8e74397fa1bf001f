import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Input } from '../../endpoint.js'
import {
  analysisSchema,
  analysisShape,
  figureSchema,
  organizationSchema,
  organizationShape,
  shallowAnalysis,
  shallowAnalysisSchema,
  shallowFigure,
  shallowFigureSchema,
  shallowOrganization,
  shallowOrganizationSchema,
  shallowWorkspace,
  shallowWorkspaceSchema,
  workspaceSchema,
  workspaceShape,
} from '../../shapes/containers.js'
import { figureRevisionInList } from '../../shapes/figure-revision.js'
import { has } from '../../versions.js'
import { childrenOf, revisionsOf, visibleNodes } from '../nodes.js'
import { collect } from '../pages.js'
import type { Container } from './container.js'

const organization: Container = {
  segment: 'organization',
  type: NodeType.ORGANIZATION,
  shallow: shallowOrganization,
  shallowSchema: shallowOrganizationSchema,
  fullSchema: organizationSchema,
  full: fullOrganization,
  // People are in a few: one call for each.
  async *listed(input) {
    for await (const node of visibleNodes(input, NodeType.ORGANIZATION)) {
      yield await fullOrganization(input, node)
    }
  },
}

async function fullOrganization(input: Input, node: Node) {
  const workspaces = await childrenOf(input, node, NodeType.WORKSPACE)
  return organizationShape(node, workspaces, input.version)
}

const workspace: Container = {
  segment: 'workspace',
  type: NodeType.WORKSPACE,
  parent: { member: 'organization', type: NodeType.ORGANIZATION, isOptional: true },
  shallow: shallowWorkspace,
  shallowSchema: shallowWorkspaceSchema,
  fullSchema: workspaceSchema,
  async full(input, node) {
    const analyses = await childrenOf(input, node, NodeType.ANALYSIS)
    return workspaceShape(node, analyses, input.version)
  },
  listed: (input) => listedWorkspaces(input),
}

async function* listedWorkspaces(input: Input) {
  const { version } = input
  const light = has(version, 'lightWorkspaceList')
  // All analyses at once, not a query a workspace.
  const analyses = light ? [] : await collect(visibleNodes(input, NodeType.ANALYSIS))
  const byWorkspace = new Map<string, Node[]>()
  for (const analysis of analyses) {
    const known = byWorkspace.get(analysis.parentId)
    if (known) known.push(analysis)
    else byWorkspace.set(analysis.parentId, [analysis])
  }
  for await (const node of visibleNodes(input, NodeType.WORKSPACE)) {
    yield light
      ? shallowWorkspace(node, version)
      : workspaceShape(node, byWorkspace.get(node.id) ?? [], version)
  }
}

const analysis: Container = {
  segment: 'analysis',
  type: NodeType.ANALYSIS,
  parent: { member: 'workspace', type: NodeType.WORKSPACE },
  shallow: shallowAnalysis,
  shallowSchema: shallowAnalysisSchema,
  fullSchema: analysisSchema,
  async full(input, node) {
    const figures = await childrenOf(input, node, NodeType.FIGURE)
    return analysisShape(node, figures, input.version)
  },
}

const figure: Container = {
  segment: 'figure',
  type: NodeType.FIGURE,
  parent: { member: 'analysis', type: NodeType.ANALYSIS },
  shallow: shallowFigure,
  shallowSchema: shallowFigureSchema,
  fullSchema: figureSchema,
  async full(input, node) {
    const { version } = input
    const revisions = await revisionsOf(input, node)
    return {
      ...shallowFigure(node, version),
      revisions: revisions.map((revision) => figureRevisionInList(revision, version)),
    }
  },
}

export const containers: Container[] = [organization, workspace, analysis, figure]
