import { type Group, groupFiles } from '@figbase/client'
import { type Html, html } from '@figbase/kit/text'
import { DataType } from '@figbase/proto/revisions'
import pLimit from 'p-limit'
import type { Input, Route } from '../../endpoint.js'
import type { FormFile } from '../../http/form-file.js'
import { childrenOf } from '../../nodes/lists.js'
import { getNodeWithLists } from '../../nodes/node-with-lists.js'
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
import { type Outcome, outcomePage } from './outcome-page.js'
import { publishForm } from './publish-form.js'
import { revisionMessages } from './revision-messages.js'

const { figure, analysis } = kinds
const path = '/analysis/:id/publish/'
const concurrency = 4

/** Publishes files of the browser as figures of an analysis. */
export const publishManyPages: Route[] = [
  userPage(path, (input) => formPage(input)),
  userFileForm(path, (cfg) => cfg.pageUploadBytesMax, publishAll),
]

async function formPage(input: Input, problem?: Problem): Promise<Page> {
  const texts = textsOf(input)
  const { t, bytes } = texts
  const placed = await getPlaced(input, idIn(input), analysis.type)
  const limit = {
    count: input.cfg.pageFiguresMax,
    size: bytes(input.cfg.pageUploadBytesMax),
    link: (text: Html) => html`<a href="/docs/command/">${text}</a>`,
  }
  const inputs = html`<div class="inputs"><p>${t('publish.limitMany', limit)}</p>
<label>${t('publish.files')} <input type="file" name="file" multiple="" required></label></div>`
  const rest = html`<p class="quiet">${t('publish.alike')}</p>`
  return {
    ...(problem && { status: problem.status }),
    title: t('publish.many'),
    hasForm: true,
    assets: publishAssets,
    content: html`${pathTo(texts, placed)}<h1>${t('publish.many')}</h1>
${problemNote(t, problem)}
${publishForm(input, { kind: analysis, id: placed.node.id, inputs, rest })}`,
  }
}

const nameOf = ({ name }: FormFile) => name

async function publishAll(input: Input<FormValues>, chosen: FormFiles): Promise<FormResult> {
  const files = chosen.file ?? []
  const groups = groupFiles(files, nameOf)
  const problem = problemOfCount(groups.length, input.cfg.pageFiguresMax)
  if (problem) return { status: problem.status, page: await formPage(input, problem) }
  const figureOf = await figuresOf(input)
  const limit = pLimit(concurrency)
  const settled = await Promise.allSettled(
    groups.map((group) => limit(() => tried(publishOne(input, group, figureOf)))),
  )
  const outcomes = groups.map(({ name }, index) => outcomeOf(name, required(settled[index])))
  const isAny = outcomes.some(({ revisionId }) => revisionId)
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed && !isAny) throw failed.reason
  const unused = files.filter((file) => !groups.some((group) => filesOf(group).includes(file)))
  const status = isAny ? 200 : (outcomes[0]?.problem?.status ?? 400)
  return { status, page: await outcomePage(input, outcomes, unused.map(nameOf)) }
}

function problemOfCount(count: number, countMax: number): Problem {
  if (count === 0) return { status: 400, error: '', detail: 'files: choose at least one file' }
  if (count <= countMax) return undefined
  return { status: 400, error: '', detail: `file: may be at most ${countMax} figures` }
}

type Published = Awaited<ReturnType<typeof tried<string>>>

function outcomeOf(name: string, result: PromiseSettledResult<Published>): Outcome {
  if (result.status === 'rejected') return { name }
  const { value } = result
  return value.problem ? { name, problem: value.problem } : { name, revisionId: value.value }
}

const filesOf = ({ image, code, data, description }: Group<FormFile>) => [
  ...image,
  ...code,
  ...data,
  ...(description ? [description] : []),
]

/** Publishes a figure; the id of its revision. */
async function publishOne(
  input: Input,
  group: Group<FormFile>,
  figureOf: (name: string) => Promise<string>,
): Promise<string> {
  const { image, code, data, description } = group
  const chosen = [
    ...image.map((file) => ({ type: DataType.IMAGE, file })),
    ...code.map((file) => ({ type: DataType.CODE, file })),
    ...data.map((file) => ({ type: DataType.FILE, file })),
  ]
  const text = description?.bytes.toString() ?? ''
  const messages = revisionMessages(await figureOf(group.name), chosen, text)
  const created = await input.services.revisions.createRevision(messages, input.streamCall)
  return required(created.revision).id
}

/** The figures of the analysis by their names; those that are missing are created. Of several with a name, the oldest. */
async function figuresOf(input: Input): Promise<(name: string) => Promise<string>> {
  const { services, call } = input
  const parentId = idIn(input)
  const opened = await getNodeWithLists(input, parentId, analysis.type, { children: [figure.type] })
  const figures = await childrenOf(input, opened, figure.type)
  const known = new Map(figures.map(({ name, id }) => [name, id] as const).reverse())
  return async (name) => {
    const id = known.get(name)
    if (id) return id
    const { node } = await services.catalog.createNode({ type: figure.type, parentId, name }, call)
    return required(node).id
  }
}
