import type { EnvReader } from '@figbase/kit/config'

export const readConfig = (env: EnvReader) => ({
  commentBytesMax: env.bytes('COMMENT_BYTES_MAX', '64KiB', 'maximum size of a comment'),
  commentsMax: env.positiveInt('COMMENTS_MAX', 10_000, 'maximum number of comments on an object'),
  commentsBytesMax: env.bytes(
    'COMMENTS_BYTES_MAX',
    '16MiB',
    'maximum total size of the comments on an object',
  ),
  depthMax: env.positiveInt(
    'COMMENT_DEPTH_MAX',
    20,
    'maximum depth of a thread: a reply to a reply has depth 3',
  ),
  mentionsMax: env.positiveInt(
    'MENTIONS_PER_COMMENT_MAX',
    50,
    'maximum number of users that a comment can mention, over all its versions',
  ),
  mentionsPerHourMax: env.positiveInt(
    'MENTIONS_PER_HOUR_MAX',
    500,
    'maximum number of mentions by one user in an hour',
  ),
  reactionsMax: env.positiveInt(
    'REACTIONS_PER_COMMENT_MAX',
    2000,
    'maximum number of reactions to a comment',
  ),
})

export type Config = ReturnType<typeof readConfig>
