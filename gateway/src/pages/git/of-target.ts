import { html } from '@figbase/kit/text'
import type { GitRepository } from '@figbase/proto/git'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { textsOf } from '../../texts/texts.js'
import { doneOf, doneQuery } from '../account/layout.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { type Problem, problemNote, tried } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Kind, kinds, pagePath } from '../kinds.js'
import { entryList, moreThan } from '../lists.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { stateOf } from './import-state.js'
import { repositoryForm, settingsOf } from './repository-form.js'
import { newSecretPage } from './secret.js'

/** The Git repositories that are imported into an analysis or a workspace, for those who may create figures there. */
export const ofTargetPages: Route[] = [kinds.workspace, kinds.analysis].flatMap((kind) => {
  const path = `/${kind.segment}/:id/repositories/`
  return [
    userPage(path, (input) => listPage(input, kind), doneQuery),
    userForm(path, (input) => create(input, kind)),
  ]
})

const pathOf = (input: Input, { type }: Kind) =>
  `${pagePath({ id: idIn(input), type })}repositories/`

async function listPage(
  input: Input,
  kind: Kind,
  problem?: Problem,
  typed: FormValues = {},
): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t } = texts
  const { type } = kind
  const id = idIn(input)
  const [placed, { repositories }] = await Promise.all([
    getPlaced(input, id, type),
    services.git.listGitRepositories({ targetId: id, targetType: type }, call),
  ])
  const shown = repositories.slice(0, cfg.pageItemsMax)
  const entries = shown.map((one) => entry(input, one))
  const done = doneOf(input, { deleted: 'git.deleted' })
  const form = await repositoryForm(input, pathOf(input, kind), typed, {
    hasToken: false,
    buttons: html`<button>${t('git.create')}</button>`,
  })
  return {
    ...(problem && { status: problem.status }),
    title: t('git.title'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<h1>${t('git.title')}</h1>
<p>${t('git.what', { guide: (text) => html`<a href="/docs/git/">${text}</a>` })}</p>
${problemNote(t, problem)}${done ? html`<p class="notice" role="status">${t(done)}</p>` : html``}${entryList(entries, t('git.none'))}${moreThan(texts, shown.length, repositories.length)}
<h2>${t('git.new')}</h2>
${form}`,
  }
}

function entry(input: Input, { id, url, branch, lastImport }: GitRepository) {
  const texts = textsOf(input)
  const when = lastImport
    ? html`${stateOf(texts, lastImport)} <span class="quiet">${texts.dateTime(lastImport.createdOn)}</span>`
    : html`<span class="quiet">${texts.t('git.neverImported')}</span>`
  return html`<li><div><a href="/git-repository/${id}/"><strong dir="ltr">${url}</strong></a>
<span class="quiet" dir="ltr">${branch}</span> ${when}</div></li>`
}

/** Shows the secret once: the answer is not stored. */
async function create(input: Input<FormValues>, kind: Kind): Promise<FormResult> {
  const { body, services, call } = input
  const target = { targetId: idIn(input), targetType: kind.type }
  const made = await tried(
    services.git.createGitRepository({ ...target, ...settingsOf(body) }, call),
  )
  if (made.problem) {
    const { problem } = made
    return { status: problem.status, page: await listPage(input, kind, problem, body) }
  }
  const { repository, pushSecret } = made.value
  return { status: 201, page: newSecretPage(input, required(repository), pushSecret) }
}
