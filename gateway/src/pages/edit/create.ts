import { html } from '@figbase/kit/text'
import type { Input, Route } from '../../endpoint.js'
import { getNode } from '../../nodes/lists.js'
import { required } from '../../required.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, tried } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { type NodeValues, nodeForm, valuesIn } from './node-form.js'

type Place = { kind: Kind; parent: Kind | undefined; title: MessageKey }

const { organization, workspace, analysis, figure, asset } = kinds

/** What can be created, and where. Only workspaces and organizations can be outside another object. */
const places: Place[] = [
  { kind: organization, parent: undefined, title: 'new.organization' },
  { kind: workspace, parent: undefined, title: 'new.workspace' },
  { kind: workspace, parent: organization, title: 'new.workspace' },
  { kind: analysis, parent: workspace, title: 'new.analysis' },
  { kind: asset, parent: workspace, title: 'new.asset' },
  { kind: figure, parent: analysis, title: 'new.figure' },
  { kind: asset, parent: analysis, title: 'new.asset' },
]

export const createPages: Route[] = places.flatMap((place) => {
  const { kind, parent } = place
  const address = parent ? `/${parent.segment}/:id/new/${kind.segment}/` : `/new/${kind.segment}/`
  return [
    userPage(address, (input) => newPage(input, place)),
    userForm(address, (input) => submit(input, place)),
  ]
})

async function newPage(
  input: Input,
  { kind, parent, title }: Place,
  values: NodeValues = { name: '', description: '' },
  problem?: Problem,
): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const place = parent && (await getPlaced(input, idIn(input), parent.type))
  return {
    ...(problem && { status: problem.status }),
    title: t(title),
    hasForm: true,
    content: html`${place ? pathTo(texts, place) : html``}<p class="kind">${t(kind.name)}</p>
<h1>${t(title)}</h1>
${nodeForm(input, texts, values, { submit: t('edit.create'), problem })}`,
  }
}

async function submit(input: Input<FormValues>, place: Place): Promise<FormResult> {
  const { services, call, body } = input
  const values = valuesIn(body)
  const request = { type: place.kind.type, ...values, ...(await parentOf(input, place)) }
  const created = await tried(services.catalog.createNode(request, call))
  if (created.problem) {
    const { problem } = created
    return { status: problem.status, page: await newPage(input, place, values, problem) }
  }
  return { to: pagePath(required(created.value.node)) }
}

/** An asset of an analysis is in its workspace. */
async function parentOf(input: Input, { kind, parent }: Place) {
  if (!parent) return {}
  const id = idIn(input)
  if (kind !== asset || parent !== analysis) return { parentId: id }
  const { workspaceId } = await getNode(input, id, parent.type)
  return { parentId: workspaceId, scopeId: id }
}
