import { type Html, html } from '@figbase/kit/text'
import { DataType } from '@figbase/proto/revisions'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { textsOf } from '../../texts/texts.js'
import { type FormFiles, type FormResult, type FormValues, userFileForm } from '../form.js'
import { type Problem, problemNote, tried } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { kinds } from '../kinds.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { publishAssets } from './assets.js'
import { publishForm } from './publish-form.js'
import { type Chosen, revisionMessages } from './revision-messages.js'

const { figure } = kinds

/** Publishes files of the browser as a revision of a figure. */
export const publishPages: Route[] = [
  userPage('/figure/:id/publish/', (input) => publishPage(input)),
  userFileForm('/figure/:id/publish/', (cfg) => cfg.pageUploadBytesMax, publish),
]

async function publishPage(input: Input, description = '', problem?: Problem): Promise<Page> {
  const texts = textsOf(input)
  const { t, bytes } = texts
  const placed = await getPlaced(input, idIn(input), figure.type)
  const limit = {
    size: bytes(input.cfg.pageUploadBytesMax),
    link: (text: Html) => html`<a href="/docs/command/">${text}</a>`,
  }
  const inputs = html`<div class="inputs"><p>${t('publish.limit', limit)}</p>
<label>${t('publish.picture')} <input type="file" name="picture" accept="image/*,.pdf,.eps"></label>
<label>${t('publish.code')} <input type="file" name="code" multiple=""></label>
<label>${t('publish.data')} <input type="file" name="data" multiple=""></label></div>`
  const rest = html`<label>${t('publish.description')} <textarea name="description" rows="3">
${description}</textarea></label>`
  return {
    ...(problem && { status: problem.status }),
    title: t('publish.title'),
    hasForm: true,
    assets: publishAssets,
    content: html`${pathTo(texts, placed)}<h1>${t('publish.title')}</h1>
${problemNote(t, problem)}
${publishForm(input, { kind: figure, id: placed.node.id, inputs, rest })}`,
  }
}

async function publish(input: Input<FormValues>, files: FormFiles): Promise<FormResult> {
  const description = (input.body.description ?? '').replaceAll('\r\n', '\n')
  const chosen = chosenIn(files)
  if (chosen.length === 0) {
    const problem = { status: 400, error: '', detail: 'files: choose at least one file' }
    return { status: 400, page: await publishPage(input, description, problem) }
  }
  const messages = revisionMessages(idIn(input), chosen, description)
  const created = await tried(input.services.revisions.createRevision(messages, input.streamCall))
  if (created.problem) {
    const { problem } = created
    return { status: problem.status, page: await publishPage(input, description, problem) }
  }
  return { to: `/r/${required(created.value.revision).id}` }
}

const types = { picture: DataType.IMAGE, code: DataType.CODE, data: DataType.FILE }

const chosenIn = (files: FormFiles): Chosen =>
  Object.entries(types).flatMap(([name, type]) =>
    (files[name] ?? []).map((file) => ({ type, file })),
  )
