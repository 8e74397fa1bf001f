import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import { ExportFormat } from '@figbase/proto/stories'
import type { Input, Route } from '../../endpoint.js'
import { type MessageKey, textsOf } from '../../texts/texts.js'
import { newest } from '../../versions.js'
import { type FormResult, type FormValues, formToken, userForm } from '../form.js'
import { type Problem, problemNote, tried } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { exportFile } from './export-file.js'
import { taskPath } from './task.js'

const formats: [string, ExportFormat, MessageKey][] = [
  ['pdf', ExportFormat.PDF, 'story.format.pdf'],
  ['pptx', ExportFormat.PPTX, 'story.format.pptx'],
  ['markdown', ExportFormat.MARKDOWN, 'story.format.markdown'],
]

/** Starts the task that makes a file of a story, and downloads the file. */
export const exportPages: Route[] = [
  userPage('/story/:id/export/', (input) => exportPage(input)),
  userForm('/story/:id/export/', start),
  exportFile,
]

async function exportPage(input: Input, chosen = 'pdf', problem?: Problem): Promise<Page> {
  const texts = textsOf(input)
  const { t } = texts
  const placed = await getPlaced(input, idIn(input), NodeType.STORY)
  const choices = formats.map(
    ([name, , label]) =>
      html`<label class="check"><input type="radio" name="format" value="${name}"${name === chosen ? html` checked=""` : html``}> ${t(label)}</label>`,
  )
  return {
    ...(problem && { status: problem.status }),
    title: t('story.export'),
    hasForm: true,
    content: html`${pathTo(texts, placed)}<p class="kind">${t('kind.story')}</p>
<h1>${t('story.export')}</h1>
<p>${t('story.exportNote')}</p>${problemNote(t, problem)}
<form method="post">${formToken(input)}
<fieldset class="list"><legend>${t('story.format')}</legend>${choices}</fieldset>
<button>${t('story.export')}</button></form>`,
  }
}

async function start(input: Input<FormValues>): Promise<FormResult> {
  const { services, call, body } = input
  const storyId = idIn(input)
  const [, format = ExportFormat.UNSPECIFIED] = formats.find(([name]) => name === body.format) ?? []
  const request = { storyId, format, basePath: `/api/${newest}` }
  const started = await tried(services.stories.exportStory(request, call))
  if (!started.problem) return { to: taskPath(storyId, started.value.taskId) }
  const { problem } = started
  return { status: problem.status, page: await exportPage(input, body.format, problem) }
}
