/**
 * The functions of the ledger in PostgreSQL. Each is one round trip, and locks the row of the account first, so that the jobs of one
 * account are entered and charged one after another on all nodes. A released function never changes: nodes of an older version still
 * call it. A new version gets a new name.
 */

/** Enters a job. `p_day` and `p_month`: the start of the current day and month in the time zone of the node. */
const enter = `
CREATE FUNCTION platen_enter_job_v1(
  p_id text, p_account integer, p_node text, p_now bigint, p_day bigint, p_month bigint,
  OUT result text, OUT account_limit integer, OUT wait_ms bigint, OUT free bigint
) LANGUAGE plpgsql AS $$
DECLARE
  a accounts%ROWTYPE;
  held bigint;
  running bigint;
  first_start bigint;
BEGIN
  SELECT * INTO a FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    result := 'removed';
    RETURN;
  END IF;
  SELECT coalesce(sum(reserved), 0), count(*) INTO held, running
    FROM jobs WHERE account_id = p_account AND outcome IS NULL AND started_at IS NOT NULL;
  a.granted := platen_refill_v1(a, held, p_now, p_day, p_month);
  IF running >= a.jobs_at_once THEN
    result := 'jobs at once';
    account_limit := a.jobs_at_once;
    RETURN;
  END IF;
  IF a.jobs_per_minute IS NOT NULL THEN
    IF a.jobs_per_minute < 1 THEN
      wait_ms := 60000;
    ELSE
      SELECT started_at + 60000 - p_now INTO wait_ms
        FROM jobs WHERE account_id = p_account AND started_at IS NOT NULL
        ORDER BY started_at DESC LIMIT 1 OFFSET a.jobs_per_minute - 1;
    END IF;
    IF wait_ms > 0 THEN
      result := 'jobs per minute';
      account_limit := a.jobs_per_minute;
      RETURN;
    END IF;
  END IF;
  free := a.granted - a.spent - held;
  INSERT INTO jobs (id, account_id, received_at, started_at, node_id, reserved, charged)
    VALUES (p_id, p_account, p_now, p_now, p_node, CASE WHEN free IS NULL OR free >= 1 THEN 1 ELSE 0 END, 0);
  result := 'entered';
END $$`;

/** Applies a refill that is due, and returns the credits ever granted. The row of the account must be locked. */
const refill = `
CREATE FUNCTION platen_refill_v1(a accounts, held bigint, p_now bigint, p_day bigint, p_month bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  new_granted bigint;
BEGIN
  IF a.granted IS NULL OR a.refill_credits IS NULL OR a.refill_period IS NULL
    OR a.refilled_at >= (CASE a.refill_period WHEN 'day' THEN p_day ELSE p_month END) THEN
    RETURN a.granted;
  END IF;
  new_granted := a.spent + greatest(a.refill_credits, held);
  UPDATE accounts SET granted = new_granted, refilled_at = p_now WHERE id = a.id;
  RETURN new_granted;
END $$`;

/** Reserves the price of an output. `free`: the credits that the job may use; null if unlimited. */
const hold = `
CREATE FUNCTION platen_hold_credits_v1(
  p_id text, p_node text, p_price bigint, p_output_bytes bigint, p_pages integer, p_total_pages integer,
  p_now bigint, p_day bigint, p_month bigint,
  OUT result text, OUT free bigint
) LANGUAGE plpgsql AS $$
DECLARE
  a accounts%ROWTYPE;
  held bigint;
  own bigint;
BEGIN
  SELECT accounts.* INTO a FROM accounts JOIN jobs ON jobs.account_id = accounts.id
    WHERE jobs.id = p_id FOR NO KEY UPDATE OF accounts;
  IF NOT FOUND THEN
    result := 'removed';
    RETURN;
  END IF;
  SELECT coalesce(sum(reserved), 0), coalesce(sum(reserved) FILTER (WHERE id = p_id), 0) INTO held, own
    FROM jobs WHERE account_id = a.id AND outcome IS NULL AND started_at IS NOT NULL;
  a.granted := platen_refill_v1(a, held, p_now, p_day, p_month);
  free := a.granted - a.spent - held + own;
  IF p_price > free THEN
    result := 'too expensive';
    RETURN;
  END IF;
  UPDATE jobs
    SET reserved = p_price, output_bytes = p_output_bytes, pages = p_pages, total_pages = p_total_pages
    WHERE id = p_id AND outcome IS NULL AND node_id = p_node;
  result := 'held';
END $$`;

/**
 * Charges what the job reserves. A repeated call, for example after a connection broke during the first one, has the same result and
 * no further effect.
 */
const charge = `
CREATE FUNCTION platen_charge_job_v1(
  p_id text, p_node text, p_now bigint, p_stages text,
  p_output_bytes bigint, p_pages integer, p_total_pages integer,
  OUT result text
) LANGUAGE plpgsql AS $$
DECLARE
  job_account integer;
  job_charged bigint;
BEGIN
  SELECT account_id INTO job_account FROM jobs WHERE id = p_id;
  IF NOT FOUND THEN
    result := 'removed';
    RETURN;
  END IF;
  PERFORM 1 FROM accounts WHERE id = job_account FOR NO KEY UPDATE;
  UPDATE jobs
    SET outcome = 'converted', status = 200, reason = 0, ended_at = p_now, stages = p_stages,
      charged = reserved, reserved = 0,
      output_bytes = coalesce(p_output_bytes, output_bytes), pages = coalesce(p_pages, pages),
      total_pages = coalesce(p_total_pages, total_pages)
    WHERE id = p_id AND outcome IS NULL AND node_id = p_node
    RETURNING charged INTO job_charged;
  IF FOUND THEN
    UPDATE accounts SET spent = spent + job_charged WHERE id = job_account;
    result := 'charged';
  ELSIF EXISTS (SELECT 1 FROM jobs WHERE id = p_id AND outcome = 'converted' AND node_id = p_node) THEN
    result := 'repeated';
  ELSE
    result := 'ended';
  END IF;
END $$`;

/** The statements that create the functions, in order. */
export const createLedgerFunctions: readonly string[] = [refill, enter, hold, charge];
