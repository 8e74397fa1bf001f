import { pictureVersion } from '../pictures/describe.js'
import { listChangedPictures } from '../queries/loaded-likenesses.js'
import { KeptIndex, type KeptOptions } from './kept-index.js'
import { createPictureSearch, type PictureSearch } from './picture-search.js'

/** The global descriptors of pictures in memory. */
export const keptPictures = (options: KeptOptions): KeptIndex<PictureSearch> =>
  new KeptIndex(
    {
      name: 'pictures',
      open: createPictureSearch,
      read: (db, after, limit) => listChangedPictures(db, pictureVersion, after, limit),
      put: (index, rows) =>
        index.set(rows.map(({ id, place, content }) => ({ id, place, global: content }))),
    },
    options,
  )
