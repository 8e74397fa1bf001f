import { isDeepStrictEqual } from 'node:util'
import { defineTaskJob, TaskFailed, type TaskHandle, type TaskName } from '@figbase/kit/tasks'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { checkLimits } from '../domain/merge-content.js'
import { generationReplaced, storyNotFound } from '../errors.js'
import { requireAi } from '../insight/ai-state.js'
import { forUsers, isLastAttempt } from '../insight/ai-task.js'
import { findPayer } from '../insight/payer.js'
import { generateStory, refineStory, type WriteStory } from '../job-names.js'
import { userOf } from '../publication/acting.js'
import { type Change, save } from '../publication/save.js'
import { endGeneration, findGeneration } from '../queries/generations.js'
import { findStory } from '../queries/stories.js'
import { findVersion } from '../queries/versions.js'
import { generate, type Merge, type Run, refine } from '../story-writer/write-story.js'
import { toContent } from '../wire.js'

type Write = (ctx: Ctx, run: Run) => Promise<Merge>

const writing = (name: TaskName<WriteStory>, write: Write) =>
  defineTaskJob(name, {
    timeoutMs: 60 * 60_000,
    concurrencyMax: 8,
    async run(ctx: Ctx, payload, task) {
      const { storyId } = payload
      try {
        // Without a row, an earlier attempt has saved it.
        const current = await findGeneration(ctx.db, storyId)
        if (current === task.id) await writeAndSave(ctx, payload, task, write)
        else if (current !== undefined) throw generationReplaced()
        return { story_id: storyId }
      } catch (thrown) {
        const error = forUsers(thrown, task, name.attemptsMax)
        if (isLastAttempt(error, task, name.attemptsMax)) {
          await ctx.write((db) => endGeneration(db, storyId, task.id))
        }
        throw error
      }
    },
  })

async function writeAndSave(
  ctx: Ctx,
  { storyId, version, username, model }: WriteStory,
  task: TaskHandle,
  write: Write,
) {
  const { signal } = task
  const acting = userOf(username, signal)
  const as = acting.forward()
  const story = await findStory(ctx.db, storyId)
  if (!story) throw new TaskFailed('the story was deleted')
  // Catalog does not know the story yet; another attempt comes later.
  if (!story.is_activated) throw new Error('the story is not activated')
  await requireAi(ctx, model, as)
  const access = { id: storyId, permission: Permission.UPDATE, type: NodeType.STORY }
  const { workspaceId } = await ctx.catalog.checkAccess(access, as)
  const read = await findVersion(ctx.db, storyId, version)
  if (!read) throw new TaskFailed('the story has changed too often meanwhile')
  const payer = await findPayer(ctx, username, workspaceId, as)
  const options = { payer, model, signal, taskId: task.id }
  const merge = await write(ctx, { base: toContent(read), as, options, task })
  signal.throwIfAborted()
  await saveMerged(ctx, { storyId, author: username }, merge, task.id, acting)
}

/** Saves the texts as the user, and ends the generation with the same transaction. */
async function saveMerged(
  ctx: Ctx,
  { storyId, author }: Pick<Change, 'storyId' | 'author'>,
  merge: Merge,
  taskId: string,
  acting: ReturnType<typeof userOf>,
) {
  const end = async (db: Parameters<typeof endGeneration>[0]) => {
    if (!(await endGeneration(db, storyId, taskId))) throw generationReplaced()
  }
  const now = await findStory(ctx.db, storyId)
  if (!now) throw new TaskFailed('the story was deleted')
  const before = toContent(now)
  if (
    isDeepStrictEqual(
      merge(before, () => ''),
      before,
    )
  )
    return ctx.write(end)
  await save(
    ctx,
    {
      storyId,
      author,
      expectedVersion: undefined,
      silent: false,
      apply(current) {
        const content = merge(current, ctx.newId)
        checkLimits(content, ctx.cfg)
        return content
      },
      mayAdd: () => true,
      refusal: storyNotFound,
      also: end,
    },
    acting,
  )
}

export const generateStoryJob = writing(generateStory, generate)
export const refineStoryJob = writing(refineStory, refine)
