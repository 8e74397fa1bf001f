import { html } from '@figbase/kit/text'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { type NodeValues, nodeForm, valuesIn } from './node-form.js'

const { organization, workspace, analysis, figure, asset } = kinds

export const editPages: Route[] = [organization, workspace, analysis, figure, asset].flatMap(
  (kind) => {
    const address = `/${kind.segment}/:id/edit/`
    return [
      userPage(address, (input) => editPage(input, kind)),
      userForm(address, (input) => submit(input, kind)),
    ]
  },
)

async function editPage(
  input: Input,
  kind: Kind,
  typed?: NodeValues,
  problem?: Problem,
): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const placed = await getPlaced(input, idIn(input), kind.type)
  const { name, description = '', version } = placed.node
  const more = html`<input type="hidden" name="version" value="${String(version)}">`
  const form = { submit: t('edit.save'), problem, more }
  return {
    ...(problem && { status: problem.status }),
    title: t('action.edit'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<p class="kind">${t(kind.name)}</p>
<h1>${t('action.edit')}</h1>
${nodeForm(input, texts, typed ?? { name, description }, form)}`,
  }
}

/** Fails if the object was changed since the page was made. The page then shows what was typed. */
async function submit(input: Input<FormValues>, kind: Kind): Promise<FormResult> {
  const { services, call, body } = input
  const values = valuesIn(body)
  const id = idIn(input)
  const request = { id, type: kind.type, ...values, expectedVersion: versionIn(body.version) }
  return resultOf(
    services.catalog.updateNode(request, call),
    pagePath({ id, type: kind.type }),
    (problem) => editPage(input, kind, values, problem),
  )
}

const versionIn = (text = '') => (/^\d{1,9}$/.test(text) ? Number(text) : 0)
