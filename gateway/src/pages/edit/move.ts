import { type Html, html } from '@figbase/kit/text'
import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Input, Route } from '../../endpoint.js'
import { visibleNodes } from '../../nodes/lists.js'
import { collect } from '../../routes/pagination.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { type FormResult, type FormValues, formToken, userForm } from '../form.js'
import { type Problem, problemNote, resultOf } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'

const { analysis, figure, asset, story } = kinds

export const movePages: Route[] = [analysis, figure, asset, story].flatMap((kind) => {
  const address = `/${kind.segment}/:id/move/`
  return [
    userPage(address, (input) => movePage(input, kind)),
    userForm(address, (input) => submit(input, kind)),
  ]
})

async function movePage(input: Input, kind: Kind, problem?: Problem): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const [placed, targets] = await Promise.all([
    getPlaced(input, idIn(input), kind.type),
    readTargets(input, texts, kind),
  ])
  return {
    ...(problem && { status: problem.status }),
    title: t('action.move'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<p class="kind">${t(kind.name)}</p>
<h1>${t('action.move')}</h1>
${problemNote(t, problem)}
<form method="post">
${formToken(input)}
<label>${t('move.target')} <select name="target" required>${targets(placed.node.parentId)}</select></label>
<p class="quiet">${t('move.note')}</p>
<button>${t('action.move')}</button>
</form>`,
  }
}

/** The options: workspaces, or analyses in groups by workspace, without the current parent. */
async function readTargets(input: Input, { t }: Texts, kind: Kind) {
  const workspaces = await collect(visibleNodes(input, NodeType.WORKSPACE))
  const analyses = kind === figure ? await collect(visibleNodes(input, NodeType.ANALYSIS)) : []
  return (current: string): Html => {
    const optionsOf = (nodes: Node[]) => nodes.filter(({ id }) => id !== current).map(option)
    if (kind !== figure) return html`${optionsOf(workspaces)}`
    const groups = workspaces.map((workspace) => ({
      name: html`${workspace.name}`,
      options: optionsOf(analyses.filter(({ parentId }) => parentId === workspace.id)),
    }))
    const known = new Set(workspaces.map(({ id }) => id))
    const shared = optionsOf(analyses.filter(({ parentId }) => !known.has(parentId)))
    return html`${[...groups, { name: t('move.elsewhere'), options: shared }]
      .filter(({ options }) => options.length > 0)
      .map(({ name, options }) => html`<optgroup label="${name}">${options}</optgroup>`)}`
  }
}

const option = ({ id, name }: Node) => html`<option value="${id}">${name}</option>`

async function submit(input: Input<FormValues>, kind: Kind): Promise<FormResult> {
  const { services, call, body } = input
  const id = idIn(input)
  const request = { id, type: kind.type, parentId: body.target ?? '' }
  return resultOf(
    services.catalog.updateNode(request, call),
    pagePath({ id, type: kind.type }),
    (problem) => movePage(input, kind, problem),
  )
}
