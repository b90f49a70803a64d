import { statement } from '../database/database';
import { heldApplicationsSql } from './held-applications';

/** Number of failed requests that are stored for each application. */
export const MAX_FAILURES = 100;

// Requests with test keys count only in the statistics of the test key, because they cause errors
// and delays on purpose (D171). Both inserts are sorted, so that processes which write at the same
// time wait for each other in the same order. An application may have been deleted meanwhile.
export const ADD_REQUESTS = statement(
  'limits.requests.add',
  `WITH ${heldApplicationsSql('$1::bigint[]')},
   added AS (
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::int[], $4::text[], $5::bigint[],
       $6::float8[], $7::float8[])
       AS n (application_id, operation, status, refused_by, requests, milliseconds, longest)),
   all_requests AS (
     INSERT INTO request_statistics AS r
       (hour, operation, status, refused_by, requests, milliseconds, max_milliseconds)
     SELECT date_trunc('hour', now()), operation, status, refused_by, sum(requests),
       sum(milliseconds), max(longest)
     FROM added n LEFT JOIN applications a ON a.id = n.application_id
     WHERE a.test_of IS NULL GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
     ON CONFLICT (hour, operation, status, refused_by) DO UPDATE SET
       requests = r.requests + excluded.requests,
       milliseconds = r.milliseconds + excluded.milliseconds,
       max_milliseconds = greatest(r.max_milliseconds, excluded.max_milliseconds))
   INSERT INTO application_requests AS r
     (application_id, day, operation, status, refused_by, requests)
   SELECT n.application_id, current_date, n.operation, n.status, n.refused_by, n.requests
   FROM added n JOIN held a ON a.id = n.application_id
   ORDER BY 1, 3, 4, 5
   ON CONFLICT (application_id, day, operation, status, refused_by)
     DO UPDATE SET requests = r.requests + excluded.requests`,
);

// The deletion does not see the rows that this statement adds: their number reduces what remains.
export const ADD_FAILURES = statement(
  'limits.failures.add',
  `WITH ${heldApplicationsSql('$1::bigint[]')},
   failed AS (
     SELECT n.* FROM unnest($1::bigint[], $2::float8[], $3::text[], $4::text[], $5::int[],
       $6::int[], $7::text[])
       AS n (application_id, at, request_id, operation, status, code, detail)
     JOIN held a ON a.id = n.application_id),
   added AS (
     INSERT INTO application_failures
       (application_id, failed_at, request_id, operation, status, code, detail)
     SELECT application_id, to_timestamp(at), request_id, operation, status, code, detail
     FROM failed ORDER BY at)
   DELETE FROM application_failures WHERE id = ANY(ARRAY(
     SELECT old.id
     FROM (SELECT application_id, count(*) AS n FROM failed GROUP BY 1) AS k
     CROSS JOIN LATERAL (SELECT id FROM application_failures f
       WHERE f.application_id = k.application_id
       ORDER BY id DESC OFFSET greatest(${MAX_FAILURES} - k.n, 0)) AS old))`,
);

/** Requests of the last 30 days of an application, including today. */
const RECENT = `FROM application_requests
  WHERE application_id = $1 AND day > current_date - 30`;

export const BY_OPERATION = statement(
  'limits.requests.by_operation',
  `SELECT operation, sum(requests)::float8 AS requests,
     coalesce(sum(requests) FILTER (WHERE status >= 400 AND refused_by = ''), 0)::float8 AS failed,
     coalesce(sum(requests) FILTER (WHERE refused_by <> ''), 0)::float8 AS rejected
   ${RECENT} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 100`,
);

export const BY_STATUS = statement(
  'limits.requests.by_status',
  `SELECT status, sum(requests)::float8 AS requests ${RECENT} GROUP BY 1 ORDER BY 1`,
);

export const BY_LIMIT = statement(
  'limits.requests.by_limit',
  `SELECT refused_by AS "refusedBy", sum(requests)::float8 AS requests
   ${RECENT} AND refused_by <> '' GROUP BY 1 ORDER BY 2 DESC, 1`,
);

export const BY_HOUR = statement(
  'limits.requests.by_hour',
  `SELECT extract(epoch FROM hour)::float8 AS at, requests, rejected FROM application_usage
   WHERE application_id = $1 AND hour > now() - interval '30 days' ORDER BY hour`,
);

export const FAILURES = statement(
  'limits.failures.of',
  `SELECT failed_at AS at, request_id AS "requestId", operation, status, code, detail
   FROM application_failures WHERE application_id = $1 ORDER BY id DESC LIMIT ${MAX_FAILURES}`,
);
