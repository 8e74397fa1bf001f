import { after, before, test } from 'node:test'
import { assertUses, plansOf as plansIn } from '@figbase/kit/testing'
import { sql } from 'kysely'
import type { Tx } from '../src/db/schema.js'
import { findComment, listByIds, listComments, listOwnComments } from '../src/queries/comments.js'
import { clearComment, deleteWithoutReplies } from '../src/queries/deletion.js'
import { insertMentions } from '../src/queries/new-mentions.js'
import { deleteTargets, purgeComments } from '../src/queries/purge.js'
import {
  countReactions,
  listOwnReactions,
  listReactionCounts,
  listReactions,
} from '../src/queries/reactions.js'
import { type Started, start } from './test-service.js'

const targetId = '00000000-0000-4000-8000-000000000001'
const commentId = '00000000-0000-4000-9000-000000000001'

let at: Started
before(async () => {
  at = await start('local')
  const { db } = at.ctx
  // 2000 targets, 500 of them with 40 comments each, half of these replies; two reactions and a mention each.
  await sql`
    insert into target (id, type)
    select ('00000000-0000-4000-8000-' || lpad(t::text, 12, '0'))::uuid, 'figure'
      from generate_series(1, 2000) t`.execute(db)
  await sql`
    insert into comment (id, target_id, parent_id, depth, author, content, created_on, updated_on)
    select ('00000000-0000-4000-9000-' || lpad(c::text, 12, '0'))::uuid,
           ('00000000-0000-4000-8000-' || lpad((1 + c % 500)::text, 12, '0'))::uuid,
           case when c > 10000 then ('00000000-0000-4000-9000-' || lpad((c - 10000)::text, 12, '0'))::uuid end,
           case when c > 10000 then 2 else 1 end, 'user' || c % 100, 'x', now(), now()
      from generate_series(1, 20000) c`.execute(db)
  await sql`
    insert into reaction (id, comment_id, username, emoji)
    select gen_random_uuid(), id, 'user' || seq % 100, e
      from comment, unnest(array['a', 'b']) e`.execute(db)
  await sql`insert into mention (comment_id, username) select id, 'ann' from comment`.execute(db)
  await sql`analyze`.execute(db)
})
after(() => at[Symbol.asyncDispose]())

const plansOf = (
  run: (tx: Tx) => Promise<unknown>,
  text: RegExp,
  values: string[] | Record<string, string>,
) => plansIn(at.ctx.transact, run, text, values)

const cursor = { createdOn: '2020-01-01 00:00:00+00', seq: '5' }
const cursorValues = { createdOn: `'${cursor.createdOn}'`, seq: '5' }
const id = `'${commentId}'`

test('comments are read with the indexes on target and author', async () => {
  const list = (tx: Tx) => listComments(tx, targetId)
  const ofTarget = await plansOf(list, /where c\.target_id = \$1/, [`'${targetId}'`, 'null'])
  assertUses(ofTarget, ['comment_target_idx', 'target_pkey'])
  const one = await plansOf((tx) => findComment(tx, commentId), /where c\.id = \$1/, [id])
  assertUses(one, ['comment_pkey'])
  const first = (tx: Tx) => listOwnComments(tx, 'user1', 10)
  const values = { author: "'user1'", limit: '10' }
  assertUses(await plansOf(first, /is_deleted\s+order by/, values), ['comment_author_idx'])
  const later = (tx: Tx) => listOwnComments(tx, 'user1', 10, cursor)
  assertUses(await plansOf(later, /is_deleted and \(/, { ...values, ...cursorValues }), [
    'comment_author_idx',
  ])
})

test('replies to a comment are found with the index on parent', async () => {
  const removal = await plansOf((tx) => deleteWithoutReplies(tx, commentId), /recursive leaf/, [id])
  assertUses(
    removal.map((plan) => plan.replace(/CTE Scan.*/g, '')),
    ['comment_parent_idx', 'comment_pkey'],
  )
  const emptied = await plansOf((tx) => clearComment(tx, commentId), /set content = ''/, [id])
  assertUses(emptied, ['comment_pkey', 'reaction_(key|comment_idx)', 'mention_pkey'])
})

test('reactions and mentions are read with the indexes on comment and user', async () => {
  const list = (tx: Tx) => listReactions(tx, commentId)
  assertUses(await plansOf(list, /order by r\.created_on/, [id]), ['reaction_comment_idx'])
  const count = (tx: Tx) => countReactions(tx, commentId)
  assertUses(await plansOf(count, /as reactions/, [id]), ['reaction_(key|comment_idx)'])
  const later = (tx: Tx) => listOwnReactions(tx, 'user1', 10, cursor)
  const values = { username: "'user1'", limit: '10', ...cursorValues }
  assertUses(await plansOf(later, /r\.username = \$1/, values), ['reaction_username_idx'])
  const mentions = (tx: Tx) => insertMentions(tx, commentId, ['bob'])
  const added = await plansOf(mentions, /as before/, [id, `'{bob}'`])
  assertUses(added, ['mention_pkey'])
  const read = (tx: Tx) => listByIds(tx, [commentId])
  assertUses(await plansOf(read, /c\.id = any/, [`'{${commentId}}'`]), ['comment_pkey'])
  const counts = (tx: Tx) => listReactionCounts(tx, [commentId], 'ann')
  const ofPage = { commentIds: `'{${commentId}}'`, username: "'ann'" }
  assertUses(await plansOf(counts, /own_id/, ofPage), ['reaction_(key|comment_idx)'])
})

test('comments to purge are read with the index on target', async () => {
  const targets = `'{${targetId}}'`
  const comments = await plansOf((tx) => purgeComments(tx, [], 100), /as purged/, [targets, '100'])
  assertUses(
    comments.map((plan) => plan.replace(/CTE Scan.*/g, '')),
    ['comment_target_idx', 'comment_parent_idx', 'comment_pkey'],
  )
  const removed = await plansOf((tx) => deleteTargets(tx, []), /delete from target/, [targets])
  assertUses(removed, ['target_pkey'])
})
