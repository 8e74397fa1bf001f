import { html } from '@figbase/kit/text'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { confirmPage } from '../confirm.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced, type Placed } from '../placed.js'
import { nameHtml } from '../text.js'

const { organization, workspace, analysis, figure, asset, story } = kinds

/** A deletion is confirmed here, and can be undone on the page of the deleted objects. */
export const deletePages: Route[] = [
  organization,
  workspace,
  analysis,
  figure,
  asset,
  story,
].flatMap((kind) => {
  const address = `/${kind.segment}/:id/delete/`
  return [
    userPage(address, async (input) => questionPage(input, await read(input, kind))),
    userForm(address, (input) => submit(input, kind)),
  ]
})

const read = (input: Input, { type }: Kind) => getPlaced(input, idIn(input), type)

function questionPage(input: Input, { node }: Placed, problem?: Problem): Page {
  const { t } = textsOf(input)
  const back = pagePath(node)
  return confirmPage(input, {
    title: t('delete.question', { name: nameHtml(node.name) }),
    text: html`${t('delete.content', { count: node.children })} ${t('delete.undo')}`,
    action: `${back}delete/`,
    button: t('action.delete'),
    back,
    problem,
  })
}

async function submit(input: Input<FormValues>, kind: Kind): Promise<FormResult> {
  const { services, call } = input
  const placed = await read(input, kind)
  const { id, type, workspaceId } = placed.node
  const isInWorkspace = workspaceId !== '' && workspaceId !== id
  return resultOf(
    services.catalog.deleteNode({ id, type }, call),
    isInWorkspace ? `/workspace/${workspaceId}/deleted/` : `/${kind.segment}/deleted/`,
    (problem) => questionPage(input, placed, problem),
  )
}
