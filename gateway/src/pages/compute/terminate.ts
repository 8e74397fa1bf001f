import type { Instance } from '@figbase/proto/compute'
import type { Input, Route } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { confirmPage } from '../confirm.js'
import { userForm } from '../form.js'
import { type Problem, resultOf } from '../form-problem.js'
import { idIn } from '../ids.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { readNotebook } from './notebook.js'
import { notebookPath } from './status.js'

const address = '/notebook/:id/terminate/'

/** Asks before a notebook and its files are deleted. */
export const terminatePages: Route[] = [
  userPage(address, async (input) => questionPage(input, await readNotebook(input))),
  userForm(address, async (input) => {
    const instance = await readNotebook(input)
    const { compute } = input.services
    return resultOf(
      compute.terminateInstance({ id: idIn(input) }, input.call),
      `/workspace/${instance.workspaceId}/notebooks/`,
      (problem) => questionPage(input, instance, problem),
    )
  }),
]

function questionPage(input: Input, { id, name }: Instance, problem?: Problem): Page {
  const { t } = textsOf(input)
  return confirmPage(input, {
    title: t('compute.question', { name: nameHtml(name) }),
    text: t('compute.terminateNote'),
    action: `${notebookPath(id)}terminate/`,
    button: t('compute.terminate'),
    back: notebookPath(id),
    problem,
  })
}
