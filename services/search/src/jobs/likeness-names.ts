import type { JobName } from '@figbase/kit/jobs'

/** Of a figure revision. */
export type LikenessJob = { id: string }

/** After the words are indexed. */
export const embedFigureName: JobName<LikenessJob> = {
  name: 'embed-figure',
  attemptsMax: 8,
  priority: 5,
}
export const readPictureName: JobName<LikenessJob> = {
  name: 'read-picture',
  attemptsMax: 5,
  priority: 10,
}
/** Of a picture whose reading timed out: once more, when the machine may have less to do. */
export const readPictureAgainName: JobName<LikenessJob> = {
  name: 'read-picture-again',
  attemptsMax: 5,
  priority: 20,
}
