import { type Html, html } from '@figbase/kit/text'
import { GitImportState, type GitRepository } from '@figbase/proto/git'
import { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { siteOriginOf } from '../../http/site-origin.js'
import { required } from '../../required.js'
import { pushUrlOf } from '../../shapes/git-repository.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { doneOf } from '../account/layout.js'
import { confirmPage } from '../confirm.js'
import { copyable } from '../copyable.js'
import { type FormResult, type FormValues, formToken, userForm } from '../form.js'
import { type Problem, problemNote, resultOf, tried } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn, pageNotFound } from '../ids.js'
import { pagePath } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { importList } from './import-list.js'
import { repositoryForm, settingsOf, valuesOf } from './repository-form.js'
import { newSecretPage } from './secret.js'

const address = '/git-repository/:id/'
const query = {
  query: z.object({ cursor: z.string().max(1000).optional(), done: z.string().optional() }),
}

/** A Git repository: its settings, and its imports. */
export const repositoryPages: Route[] = [
  userPage(address, (input) => repositoryPage(input), query),
  userForm(address, change),
  userPage(`${address}delete/`, async (input) => {
    const { id, url } = await readRepository(input)
    const { t } = textsOf(input)
    return confirmPage(input, {
      title: t('git.deleteTitle'),
      text: t('git.deleteQuestion', { url: html`<span dir="ltr">${url}</span>` }),
      action: `/git-repository/${id}/delete/`,
      button: t('action.delete'),
      back: `/git-repository/${id}/`,
    })
  }),
  userForm(`${address}delete/`, async (input) => {
    const repository = await readRepository(input)
    await input.services.git.deleteGitRepository({ id: repository.id }, input.call)
    return { to: `${listPath(repository)}?done=deleted` }
  }),
]

const listPath = ({ targetId, targetType }: GitRepository) =>
  `${pagePath({ id: targetId, type: targetType })}repositories/`

async function readRepository(input: Input): Promise<GitRepository> {
  const { services, call } = input
  const { repository } = await services.git.getGitRepository({ id: idIn(input) }, call)
  return required(repository)
}

const doneMessages: Record<string, MessageKey> = {
  saved: 'git.saved',
  importing: 'git.importing',
  forgotten: 'git.forgotten',
}

async function repositoryPage(input: Input, problem?: Problem, typed?: FormValues): Promise<Page> {
  const { services, call, cfg, username } = input
  const texts = textsOf(input)
  const { t } = texts
  const { cursor = '' } = (input.query ?? {}) as { cursor?: string }
  const request = { repositoryId: idIn(input), pageSize: cfg.pageItemsMax, pageToken: cursor }
  const [repository, { imports, nextPageToken }] = await Promise.all([
    readRepository(input),
    services.git.listGitImports(request, call),
  ])
  const { id, targetId, targetType, url, branch, createdBy, hasToken } = repository
  const placed = await getPlaced(input, targetId, targetType)
  const done = doneOf(input, doneMessages)
  const path = `/git-repository/${id}/`
  const isOwner = createdBy === username
  const settings = isOwner
    ? await repositoryForm(input, path, typed ?? valuesOf(repository), {
        hasToken,
        buttons: html`<div class="buttons"><button name="action" value="save">${t('git.save')}</button></div>`,
      })
    : html`<p>${t('git.notOwner', { name: createdBy })}</p>`
  return {
    ...(problem && { status: problem.status }),
    title: t('git.one'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<p class="kind"><a href="${listPath(repository)}">${t('git.title')}</a></p>
<h1 dir="ltr">${url}</h1>
<p class="quiet"><span dir="ltr">${branch}</span> · ${t('git.by', { name: createdBy })}</p>
${problemNote(t, problem)}${done ? html`<p class="notice" role="status">${t(done)}</p>` : html``}
<form class="inline" method="post" action="${path}">${formToken(input)}<div class="buttons"><button name="action" value="import">${t(isOpen(repository) ? 'git.importAgain' : 'git.importNow')}</button><a href="${path}delete/">${t('action.delete')}</a></div></form>
<h2>${t('git.imports')}</h2>
${importList(input, imports, nextPageToken)}
<h2>${t('git.webhook')}</h2>
<p>${t('git.webhookNote', { guide: (text) => html`<a href="/docs/git/">${text}</a>` })}</p>
${copyable(texts, t('git.pushUrl'), pushUrlOf(id, siteOriginOf(input)))}
${isOwner ? html`<form class="inline" method="post" action="${path}">${formToken(input)}<div class="buttons"><button class="secondary" name="action" value="rotate">${t('git.rotate')}</button></div></form>` : html``}
${hostKeysOf(input, texts, repository, isOwner)}<h2>${t('git.settings')}</h2>
${settings}`,
  }
}

const isOpen = ({ lastImport }: GitRepository) =>
  lastImport?.state === GitImportState.WAITING || lastImport?.state === GitImportState.RUNNING

/** The keys of the SSH server that the first import accepted. */
function hostKeysOf(
  input: Input,
  { t }: Texts,
  { id, hostKeyFingerprints }: GitRepository,
  isOwner: boolean,
): Html {
  if (hostKeyFingerprints.length === 0) return html``
  const keys = hostKeyFingerprints.map((one) => html`<li><code>${one}</code></li>`)
  const forget = isOwner
    ? html`<form class="inline" method="post" action="/git-repository/${id}/">${formToken(input)}<div class="buttons"><button class="secondary" name="action" value="forget">${t('git.forget')}</button></div></form>`
    : html``
  return html`<h2>${t('git.hostKeys')}</h2><p>${t('git.hostKeysNote')}</p><ul>${keys}</ul>${forget}
`
}

async function change(input: Input<FormValues>): Promise<FormResult> {
  const { services, call, body } = input
  const { git } = services
  const id = idIn(input)
  const { action = '' } = body
  if (action === 'rotate') return rotate(input, id)
  const save = () => {
    const { include, exclude, token, ...settings } = settingsOf(body)
    const patterns = { include: { patterns: include }, exclude: { patterns: exclude } }
    return git.updateGitRepository({ id, ...settings, ...patterns, ...(token && { token }) }, call)
  }
  const commands: Record<string, [done: string, run: () => Promise<unknown>]> = {
    save: ['saved', save],
    import: ['importing', () => git.importGitRepository({ id }, call)],
    forget: ['forgotten', () => git.updateGitRepository({ id, forgetHostKeys: true }, call)],
  }
  const command = Object.hasOwn(commands, action) ? commands[action] : undefined
  if (!command) throw pageNotFound()
  const [done, run] = command
  const typed = action === 'save' ? body : undefined
  return resultOf(run(), `/git-repository/${id}/?done=${done}`, (problem) =>
    repositoryPage({ ...input, query: {} }, problem, typed),
  )
}

async function rotate(input: Input<FormValues>, id: string): Promise<FormResult> {
  const made = await tried(input.services.git.rotateGitPushSecret({ id }, input.call))
  if (made.problem) {
    const { problem } = made
    return { status: problem.status, page: await repositoryPage({ ...input, query: {} }, problem) }
  }
  const { repository, pushSecret } = made.value
  return { status: 200, page: newSecretPage(input, required(repository), pushSecret) }
}
