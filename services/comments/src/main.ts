import { serve } from '@figbase/kit/service'
import { comments } from './index.js'

await serve(comments)
