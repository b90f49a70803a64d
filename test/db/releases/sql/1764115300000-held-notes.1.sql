ALTER TABLE notes ADD COLUMN held boolean NOT NULL DEFAULT false;
CREATE TRIGGER notes_held_gone AFTER DELETE ON notes
        REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION forget_held('note');
ALTER TABLE note_replies ADD COLUMN held boolean NOT NULL DEFAULT false;
CREATE TRIGGER note_replies_held_gone AFTER DELETE ON note_replies
        REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION forget_held('note_reply');
CREATE INDEX note_replies_held ON note_replies (note_id, user_id) WHERE held;
