import { invalid } from '@figbase/kit/errors'
import { forward, requireUser } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { revisionKind } from '../domain/revision-kind.js'
import type { UpdateDraft } from '../publication/commit-update.js'
import { writeUpdate } from '../publication/write-update.js'
import type { Impl } from '../routes.js'
import { openUpload } from '../staging/upload.js'

const type = NodeType.FIGURE_REVISION

export function describeRevision(ctx: Ctx): Impl['describeRevision'] {
  return async ({ id, description: text }, call) => {
    const author = requireUser(call)
    await ctx.catalog.checkAccess({ id, permission: Permission.UPDATE, type }, forward(call))
    if (!text) throw invalid('description', 'must not be empty')
    const description = checkedText('description', text, { charsMax: ctx.cfg.descriptionCharsMax })
    const draft: UpdateDraft = {
      revisionId: id.toLowerCase(),
      author,
      mode: 'append',
      expectedVersion: undefined,
      list: [],
      changes: {
        metadata: undefined,
        isCleanRoom: undefined,
        description,
        descriptionAuthor: 'ai',
      },
      links: undefined,
      silent: false,
    }
    const upload = openUpload(ctx, 0)
    try {
      await writeUpdate(ctx, upload, draft, revisionKind(type), 0n, call)
      return {}
    } catch (error) {
      await upload.discard()
      throw error
    } finally {
      upload.close()
    }
  }
}
