import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import { type Task, TaskStatus } from '@figbase/proto/tasks'
import type { Input, Route } from '../../endpoint.js'
import { required } from '../../required.js'
import { textsOf } from '../../texts/texts.js'
import { formToken, userForm } from '../form.js'
import { type Problem, problemNote, resultOf } from '../form-problem.js'
import { pathTo } from '../heading.js'
import { idIn } from '../ids.js'
import { parsedJson } from '../json.js'
import { type Page, userPage } from '../page.js'
import { getPlaced } from '../placed.js'
import { nameHtml } from '../text.js'
import { exportFilePath } from './export-file.js'
import { storyPath } from './read.js'

const refreshSeconds = 2

export const taskPath = (storyId: string, taskId: string): string =>
  `${storyPath(storyId)}task/${taskId}/`

/** The progress of a task about a story, and what it made. It can be cancelled. */
export const taskPages: Route[] = [
  userPage('/story/:id/task/:task/', (input) => taskPage(input)),
  userForm('/story/:id/task/:task/', (input) => {
    const { task: id = '' } = input.params
    return resultOf(
      input.services.tasks.cancelTask({ id }, input.call),
      taskPath(idIn(input), id),
      (problem) => taskPage(input, problem),
    )
  }),
]

async function taskPage(input: Input, problem?: Problem): Promise<Page> {
  const { params, services, call } = input
  const texts = textsOf(input)
  const [placed, { task: read }] = await Promise.all([
    getPlaced(input, idIn(input), NodeType.STORY),
    services.tasks.getTask({ id: params.task ?? '' }, call),
  ])
  const task = required(read)
  const isRunning = [TaskStatus.PENDING, TaskStatus.STARTED].includes(task.status)
  return {
    ...(problem && { status: problem.status }),
    title: html`${task.name}`,
    hasForm: true,
    ...(isRunning && { refreshSeconds }),
    content: html`${pathTo(texts, placed)}<h1>${nameHtml(task.name)}</h1>
${problemNote(texts.t, problem)}${isRunning ? progressOf(input, task) : outcomeOf(input, task)}`,
  }
}

function progressOf(input: Input, { progressPercent, statusMessage }: Task): Html {
  const { t } = textsOf(input)
  return html`<p><label>${t('task.running')} <progress max="100" value="${String(progressPercent)}"></progress></label></p>
<p class="quiet" lang="en">${statusMessage}</p>
<form class="inline" method="post">${formToken(input)}<div class="buttons"><button class="secondary">${t('form.cancel')}</button>
<a href="">${t('task.refresh')}</a></div></form>`
}

function outcomeOf(input: Input, { status, error, resultJson }: Task): Html {
  const { t } = textsOf(input)
  const path = storyPath(idIn(input))
  const back = html`<a class="button secondary" href="${path}">${t('story.back')}</a>`
  if (status !== TaskStatus.SUCCESS) {
    const reason = error ? html`<span lang="en">${error}</span>` : t('task.cancelled')
    return html`<p class="problem" role="alert">${t('task.failed')} ${reason}</p><p class="buttons">${back}</p>`
  }
  const file = exportFilePath(idIn(input), parsedJson(resultJson)?.value)
  const download = file
    ? html`<a class="button" href="${file}" download>${t('story.download')}</a>`
    : html``
  return html`<p role="status">${t('task.done')}</p><p class="buttons">${download}${back}</p>`
}
