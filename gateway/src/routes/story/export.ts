import { NodeType, Permission } from '@figbase/proto/catalog'
import { ExportFormat, type StoryExport } from '@figbase/proto/stories'
import { create } from 'content-disposition'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, type Reply } from '../../endpoint.js'
import type { ByteRange } from '../../http/conditions.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { required } from '../../required.js'
import { uuid } from '../../shapes/common.js'

const formats = { markdown: ExportFormat.MARKDOWN, pptx: ExportFormat.PPTX, pdf: ExportFormat.PDF }
const formatNames = ['markdown', 'pptx', 'pdf'] as const

const types: Partial<Record<ExportFormat, string>> = {
  [ExportFormat.MARKDOWN]: 'application/zip',
  [ExportFormat.PPTX]: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  [ExportFormat.PDF]: 'application/pdf',
}

const startExport = endpoint({
  method: 'POST',
  path: '/story/:id/export/',
  since: 'v1.3',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'startStoryExport',
  summary: 'Start a task that exports a story',
  description:
    'The export has what the caller may view. `url` in the result of the task downloads the file. `pdf` needs Chromium on the server.',
  body: z.object({ format: z.enum(formatNames, `must be one of ${formatNames.join(', ')}`) }),
  responses: { 202: z.object({ task_id: uuid }) },
  errors: { 429: ['too_many_exports'], 501: ['pdf_unavailable'] },
  guard: ({ id = '' }) => ({ id, permission: Permission.VIEW, type: NodeType.STORY }),
  async handle({ params, body, services, call, version }) {
    const { id = '' } = params
    const format = formats[body.format]
    const request = { storyId: id, format, basePath: `/api/${version}` }
    const { taskId } = await services.stories.exportStory(request, call)
    return { status: 202, body: { task_id: taskId } }
  },
})

export const downloadExport: Endpoint = endpoint({
  method: 'GET',
  path: '/story/:id/export/:export_id/',
  since: 'v1.3',
  auth: 'required',
  idempotent: true,
  operationId: 'downloadStoryExport',
  summary: 'Download an export of a story',
  description: 'Only the caller who started the export may download it, also a range of it.',
  responses: { 200: null, 206: null, 304: null },
  responseHeaders: ['Content-Disposition', 'ETag'],
  errors: { 409: ['export_outdated'] },
  mediaType: '*/*',
  async handle(input): Promise<Reply> {
    const { id, format, sizeBytes, fileName } = await describe(input)
    const fallback = fileName.replaceAll(/[^\x20-\x7e]|%/g, '_')
    return {
      status: 200,
      headers: {
        'content-disposition': create(fileName, { fallback }),
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      },
      content: {
        etag: id,
        type: types[format] ?? 'application/octet-stream',
        lengthBytes: Number(sizeBytes),
        read: (range) => prefetchFirst(readBytes(input, range)),
      },
    }
  },
})

const requestOf = ({ params }: Input) => ({
  storyId: params.id ?? '',
  exportId: params.export_id ?? '',
})

async function describe(input: Input): Promise<StoryExport> {
  let found: StoryExport | undefined
  const request = { ...requestOf(input), length: 0n }
  for await (const { part } of input.services.stories.readExport(request, input.streamCall)) {
    if (part.case === 'export') found = part.value
  }
  return required(found)
}

async function* readBytes(input: Input, range: ByteRange): AsyncGenerator<Uint8Array> {
  const part = { offset: BigInt(range.offset), length: BigInt(range.length) }
  const request = { ...requestOf(input), ...part }
  for await (const { part } of input.services.stories.readExport(request, input.streamCall)) {
    if (part.case === 'chunk') yield part.value
  }
}

export const exports: Endpoint[] = [startExport, downloadExport]
