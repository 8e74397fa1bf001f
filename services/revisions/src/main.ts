import { serve } from '@figbase/kit/service'
import { revisions } from './index.js'

await serve(revisions)
