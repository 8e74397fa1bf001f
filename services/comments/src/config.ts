import type { EnvReader } from '@figbase/kit'

export const readConfig = (env: EnvReader) => ({
  commentBytesMax: env.bytes('COMMENT_BYTES_MAX', '64KiB', 'size of one comment'),
  commentsMax: env.positiveInt('COMMENTS_MAX', 10_000, 'comments that one object can have'),
  commentsBytesMax: env.bytes('COMMENTS_BYTES_MAX', '16MiB', 'size of all of them together'),
  depthMax: env.positiveInt(
    'COMMENT_DEPTH_MAX',
    20,
    'how far answers can go on: an answer to an answer is the third',
  ),
  mentionsMax: env.positiveInt(
    'MENTIONS_PER_COMMENT_MAX',
    50,
    'people that one comment can mention, counting what it said before',
  ),
  mentionsPerHourMax: env.positiveInt(
    'MENTIONS_PER_HOUR_MAX',
    500,
    'people that one user can mention in an hour: each gets a mail',
  ),
  reactionsMax: env.positiveInt(
    'REACTIONS_PER_COMMENT_MAX',
    2000,
    'reactions that one comment can have',
  ),
  publicUrl: env.url('PUBLIC_URL', '', 'the address of Figbase as people see it, behind a proxy'),
  port: env.port('PORT', 8000, 'its port; 0: the system chooses'),
})

export type Config = ReturnType<typeof readConfig>
