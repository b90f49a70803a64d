import { type EntityClass } from '../database/data-source';
import { Password } from '../accounts/password.entity';
import { Session } from '../accounts/session.entity';
import { AuditEntry } from '../audit/audit-entry.entity';
import { Annotation } from '../books/annotation.entity';
import { Book } from '../books/book.entity';
import { BookSearch } from '../books/book-search.entity';
import { BookTag } from '../books/book-tag.entity';
import { BookTagCount } from '../books/book-tag-count.entity';
import { CollectionCount } from '../books/collection-count.entity';
import { LargeCollectorTag } from '../books/large-collector-tag.entity';
import { Collection } from '../books/collection.entity';
import { LargeCollectorCount } from '../books/large-collector-count.entity';
import { LargeCollector } from '../books/large-collector.entity';
import { Review } from '../books/review.entity';
import { Series } from '../books/series.entity';
import { City } from '../cities/city.entity';
import { ContentChange } from '../database/content-change.entity';
import { ScheduledTaskState } from '../database/scheduled-task-state.entity';
import { Secret } from '../database/secret.entity';
import { Event } from '../events/event.entity';
import { ListCount } from '../database/list-count.entity';
import { EventCount } from '../events/event-count.entity';
import { EventInvitation } from '../events/event-invitation.entity';
import { Participation } from '../events/participation.entity';
import { ParticipationCount } from '../events/participation-count.entity';
import { IdempotencyKey } from '../idempotency/idempotency-key.entity';
import { Picture } from '../images/picture.entity';
import { DeletedPicture } from '../images/deleted-picture.entity';
import { PictureRemoval } from '../images/picture-removal.entity';
import { PictureUse } from '../images/picture-use.entity';
import { BookSource } from '../import-export/books/book-source.entity';
import { TransferJobPart } from '../import-export/jobs/job-part.entity';
import { TransferJob } from '../import-export/jobs/job.entity';
import { Limit } from '../limits/limit.entity';
import { RequestStatistics } from '../limits/request-statistics.entity';
import { MergedRecord } from '../merges/merged-record.entity';
import { BannedWord } from '../moderation/banned-word.entity';
import { ModerationQueueEntry } from '../moderation/moderation-queue-entry.entity';
import { Report } from '../moderation/report.entity';
import { UsedCaptcha } from '../moderation/used-captcha.entity';
import { Celebrity } from '../movies/celebrity.entity';
import { ChartEntry } from '../movies/chart-entry.entity';
import { ChartSnapshot } from '../movies/chart-snapshot.entity';
import { Credit } from '../movies/credit.entity';
import { MovieComment } from '../movies/movie-comment.entity';
import { MovieReview } from '../movies/movie-review.entity';
import { Photo } from '../movies/photo.entity';
import { Showing } from '../movies/showing.entity';
import { Subject } from '../movies/subject.entity';
import { SubjectSearch } from '../movies/subject-search.entity';
import { SubjectTag } from '../movies/subject-tag.entity';
import { Note } from '../notes/note.entity';
import { NoteLike } from '../notes/note-like.entity';
import { NoteReply } from '../notes/note-reply.entity';
import { NoteVersion } from '../notes/note-version.entity';
import { AccessToken } from '../oauth/access-token.entity';
import { Application } from '../oauth/application.entity';
import { ApplicationDecision } from '../oauth/application-decision.entity';
import { ApplicationFailure } from '../oauth/application-failure.entity';
import { ApplicationRequests } from '../oauth/application-requests.entity';
import { ApplicationSecret } from '../oauth/application-secret.entity';
import { ApplicationUsage } from '../oauth/application-usage.entity';
import { DeprecatedRequest } from '../oauth/deprecated-request.entity';
import { AuthorizationCode } from '../oauth/authorization-code.entity';
import { Grant } from '../oauth/grant.entity';
import { RefreshToken } from '../oauth/refresh-token.entity';
import {
  BookSearchChange,
  BookTagChange,
  SearchResult,
  SubjectSearchChange,
  SubjectTagChange,
} from '../text/search-result.entity';
import { Friendship } from '../users/friendship.entity';
import { ConflictingRecord } from '../import-export/engine/conflicting-record.entity';
import { ConflictingUser } from '../import-export/users/conflicting-user.entity';
import { RegisteredUid } from '../users/registered-uid.entity';
import { User } from '../users/user.entity';

/** The TypeORM entities of every area: one for each table. */
export const ENTITIES: readonly EntityClass[] = [
  Password,
  Session,
  AuditEntry,
  Annotation,
  Book,
  BookSearch,
  BookTag,
  BookTagCount,
  BookSearchChange,
  BookTagChange,
  SearchResult,
  SubjectSearchChange,
  SubjectTagChange,
  Collection,
  CollectionCount,
  LargeCollectorTag,
  LargeCollectorCount,
  LargeCollector,
  Review,
  Series,
  MergedRecord,
  City,
  ContentChange,
  ScheduledTaskState,
  Secret,
  Event,
  EventCount,
  ListCount,
  EventInvitation,
  Participation,
  ParticipationCount,
  IdempotencyKey,
  Picture,
  DeletedPicture,
  PictureRemoval,
  PictureUse,
  BookSource,
  TransferJob,
  TransferJobPart,
  Limit,
  RequestStatistics,
  BannedWord,
  ModerationQueueEntry,
  Report,
  UsedCaptcha,
  Celebrity,
  ChartEntry,
  ChartSnapshot,
  Credit,
  MovieComment,
  MovieReview,
  Photo,
  Showing,
  Subject,
  SubjectSearch,
  SubjectTag,
  Note,
  NoteLike,
  NoteReply,
  NoteVersion,
  AccessToken,
  Application,
  ApplicationDecision,
  ApplicationFailure,
  ApplicationRequests,
  ApplicationSecret,
  ApplicationUsage,
  DeprecatedRequest,
  AuthorizationCode,
  Grant,
  RefreshToken,
  Friendship,
  RegisteredUid,
  ConflictingRecord,
  ConflictingUser,
  User,
];
